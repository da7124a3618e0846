// Says how much of the range is loaded, where the key's tier does not give it all at once, and loads the rest.

import { formatCount } from '../format.ts';
import { type RangeId, rangeStart } from './chart-state.ts';
import { dayCount, type HistoryPoint } from './history.ts';
import type { LoadedRows } from './use-rows.ts';

/** The day back to which the range reaches, null for all days. */
export function rangeFrom(points: readonly HistoryPoint[], range: RangeId): string | null {
  const last = points.at(-1);
  return last === undefined ? null : rangeStart(range, last.lastDay);
}

interface LoadedNoteProps {
  readonly rows: LoadedRows;
  readonly points: readonly HistoryPoint[];
  readonly range: RangeId;
  /** Of the asset. */
  readonly firstDay: string | null;
}

/** Nothing to say once the range is all there. */
export function LoadedNote({ rows, points, range, firstDay }: LoadedNoteProps) {
  const { loaded, loading } = rows;
  const first = points[0]!.day;
  const last = points.at(-1)!.lastDay;
  const from = rangeFrom(points, range);
  const start = from === null || (firstDay !== null && firstDay > from) ? firstDay : from;
  if (!loaded.more || (start !== null && first <= start)) return null;
  const missing = start === null ? null : dayCount(start, first) - 1;
  /** Of one bar. */
  const days = dayCount(first, last) / points.length;
  const requests = missing === null ? null : Math.ceil(missing / days / loaded.limit);
  return (
    <div class="loaded-note" role="status">
      <p>
        The latest {formatCount(dayCount(first, last))}{' '}
        {missing !== null && <>of {formatCount(dayCount(start!, last))} </>}
        days of this range are loaded: your API key gets {formatCount(loaded.limit)} rows per request.
      </p>
      {loading ? (
        <button type="button" onClick={rows.stop}>
          Stop loading
        </button>
      ) : (
        <button type="button" onClick={() => rows.loadBackTo(from)}>
          Load the rest
          {requests !== null && `: ${formatCount(requests)} more ${requests === 1 ? 'request' : 'requests'}`}
        </button>
      )}
    </div>
  );
}
