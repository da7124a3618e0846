// Below the table: the day or time of the closes, their age, and the switch that shows or hides inactive assets.

import { intervals } from '../catalog.ts';
import { formatCount } from '../format.ts';
import { inactiveAssets, newestDay } from '../new-data.ts';
import { AgeOfCloses } from '../shell/age-of-closes.tsx';
import { momentText } from '../shell/as-of.tsx';
import { formatPeriodInZone } from '../time-form.ts';
import { type View, viewAddress } from './view.ts';

export function DataDay({ view }: { readonly view: View }) {
  const { value: day } = newestDay;
  if (view.asOf !== null) return <span class="data-day">Closes up to {momentText(view.asOf)}</span>;
  if (view.interval !== '1d') return <LatestPeriod interval={view.interval} />;
  if (day === null) return null;
  const count = inactiveAssets.value ?? 0;
  const assets = `${formatCount(count)} inactive ${count === 1 ? 'asset' : 'assets'}`;
  return (
    <>
      <span class="data-day">
        Closes of <time dateTime={day}>{day}</time> UTC, <AgeOfCloses day={day} />
      </span>
      {count > 0 && (
        <span
          class="note"
          title={`Their latest close is too much older than ${day} (setting active-days), or their source has delisted them.`}
        >
          {view.inactive ? `with ${assets}` : `${assets} not listed`} (
          <a href={viewAddress({ ...view, inactive: !view.inactive, page: 1 })}>
            {view.inactive ? 'hide inactive' : 'show inactive'}
          </a>
          )
        </span>
      )}
    </>
  );
}

function LatestPeriod({ interval }: Pick<View, 'interval'>) {
  const last = intervals.value.find(each => each.interval === interval)?.last;
  if (last === undefined) return null;
  return (
    <span class="data-day">
      Latest period: <time dateTime={last}>{formatPeriodInZone(Date.parse(last), interval)}</time>
    </span>
  );
}
