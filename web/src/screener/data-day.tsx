// Below the table: the day of the closes, their age, and the switch that shows or hides inactive assets.

import { formatCount } from '../format.ts';
import { inactiveAssets, newestDay } from '../new-data.ts';
import { AgeOfCloses } from '../shell/age-of-closes.tsx';
import { type View, viewAddress } from './view.ts';

export function DataDay({ view }: { readonly view: View }) {
  const { value: day } = newestDay;
  if (view.asOf !== null) return <span class="data-day">Closes up to {view.asOf}</span>;
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
