// Says how much of the range is loaded, where the key's tier does not give it all at once, and loads the rest.

import { formatCount } from '../format.ts';
import { type Interval, secondsOf } from '../interval.ts';
import { type RangeId, rangeStart } from './chart-state.ts';
import type { HistoryPoint } from './history.ts';
import type { LoadedRows } from './use-rows.ts';

/** Seconds since 1970 back to which the range reaches, null for all there is. */
export function rangeFrom(points: readonly HistoryPoint[], range: RangeId): number | null {
  const last = points.at(-1);
  return last === undefined ? null : rangeStart(range, last.lastStart);
}

interface LoadedNoteProps {
  readonly rows: LoadedRows;
  readonly points: readonly HistoryPoint[];
  readonly range: RangeId;
  readonly interval: Interval;
  /** Of the first period of the asset, in seconds since 1970; null if unknown. */
  readonly start: number | null;
}

/** Nothing to say once the range is all there. */
export function LoadedNote({ rows, points, range, interval, start: firstStart }: LoadedNoteProps) {
  const { loaded, loading } = rows;
  const first = points[0]!.start;
  const from = rangeFrom(points, range);
  const start = from === null || (firstStart !== null && firstStart > from) ? firstStart : from;
  if (!loaded.more || (start !== null && first <= start)) return null;
  const missing = start === null ? null : Math.round((first - start) / secondsOf(interval));
  const requests = missing === null ? null : Math.ceil(missing / loaded.limit);
  const present = Math.round((points.at(-1)!.lastStart - first) / secondsOf(interval)) + 1;
  return (
    <div class="loaded-note" role="status">
      <p>
        The latest {formatCount(present)} {missing !== null && <>of {formatCount(present + missing)} </>}
        {interval === '1d' ? 'days' : 'periods'} of this range are loaded: your API key gets {formatCount(loaded.limit)}{' '}
        rows per request.
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
