// The check that there are bars of the interval of a request.

import { baseOf, type Interval } from '../domain/interval.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import { ApiError } from '../errors.ts';

/** `taken`: those that the request may have. Days are always there. */
export function requireInterval(
  served: readonly ServedInterval[],
  interval: Interval,
  taken: readonly Interval[],
): void {
  if (baseOf(interval) === '1d' || served.some(each => each.interval === interval)) return;
  const candidates = served.map(each => each.interval).filter(each => taken.includes(each));
  throw new ApiError('unknown_interval', `There are no bars of ${interval}.`, {
    param: 'interval',
    hint: `There are those of ${candidates.length === 0 ? 'days and longer intervals' : candidates.join(', ')}.`,
    candidates,
  });
}
