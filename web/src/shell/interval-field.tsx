// The interval of all pages: which of those that the store has is shown.

import { intervals } from '../catalog.ts';
import { INTERVALS, type Interval, intervalOf } from '../interval.ts';
import { formatPeriodInZone } from '../time-form.ts';

interface Props {
  readonly interval: Interval;
  /** Months have bars, but no indicators. */
  readonly withMonths?: boolean;
  readonly onInterval: (interval: Interval) => void;
}

export function IntervalField({ interval, withMonths = false, onInterval }: Props) {
  const served = intervals.value.filter(({ interval: id }) => withMonths || id !== '1mo');
  const shown = INTERVALS.filter(({ id }) => id === interval || served.some(each => each.interval === id));
  const span = served.find(each => each.interval === interval);
  const text = (time: string) => formatPeriodInZone(Date.parse(time), interval);
  return (
    <div class="interval" title={span && `Periods from ${text(span.first)} to ${text(span.last)}`}>
      <label for="interval">Interval</label>
      <select id="interval" value={interval} onChange={event => onInterval(intervalOf(event.currentTarget.value))}>
        {shown.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
