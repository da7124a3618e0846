// Below the table: the day of the closes, their age, and how many assets the listing leaves out.

import { formatCount } from '../format.ts';
import { inactiveAssets, newestDay } from '../new-data.ts';
import { AgeOfCloses } from '../shell/age-of-closes.tsx';

export function DataDay({ asOf }: { readonly asOf: string | null }) {
  const { value: day } = newestDay;
  if (asOf !== null) return <span class="data-day">Closes up to {asOf}</span>;
  if (day === null) return null;
  const inactive = inactiveAssets.value ?? 0;
  return (
    <>
      <span class="data-day">
        Closes of <time dateTime={day}>{day}</time> UTC, <AgeOfCloses day={day} />
      </span>
      {inactive > 0 && (
        <a
          class="note"
          href="/?inactive=1"
          title={`Their latest close is too much older than ${day} (setting active-days), or their source has delisted them.`}
        >
          {formatCount(inactive)} inactive {inactive === 1 ? 'asset' : 'assets'} not listed
        </a>
      )}
    </>
  );
}
