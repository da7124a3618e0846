// What stands where a page has no asset: that the data begins later, or else what the page says.

import { useEffect } from 'preact/hooks';
import { intervals } from '../catalog.ts';
import { momentOf, periodOfMoment, withDay } from '../day.ts';
import { type Interval, isFine } from '../interval.ts';
import { findFirstDay, firstDay } from '../new-data.ts';
import { formatPeriodInZone } from '../time-form.ts';

interface Props {
  /** A day, or a time of it; null: the newest closes. */
  readonly moment: string | null;
  readonly interval: Interval;
  /** What else there is to say. */
  readonly children: preact.ComponentChildren;
}

export function BeforeData({ moment, interval, children }: Props) {
  const fine = isFine(interval);
  useEffect(() => {
    if (moment !== null && !fine) void findFirstDay();
  }, [moment, fine]);
  const first = fine ? intervals.value.find(each => each.interval === interval)?.first : firstDay.value;
  const start = first == null ? null : Date.parse(first);
  if (moment !== null && start !== null && periodOfMoment(moment, interval) < start) {
    const address = withDay(location.pathname + location.search, momentOf(start, interval));
    return (
      <p class="empty">
        Data starts {fine ? `at ${formatPeriodInZone(start, interval)}` : `on ${first}`}.{' '}
        <a href={address}>Show that {fine ? 'time' : 'day'}</a>
      </p>
    );
  }
  return <p class="empty">{children}</p>;
}
