// The closes of past days, from the OHLCV endpoints.
//
// `/tickers/{id}/historical` is not used although the free plan has a year of it: its daily price is an average over the day,
// not a close. Without a key, OHLCV reaches back one day (`ohlcv/latest`); with one, as far as its plan does.

import { type Day, isDay, isoFromDay } from '../../domain/day.ts';
import type { ListedBar } from '../bar-list.ts';
import { got } from '../field-reader.ts';
import type { AssetRef, Reject } from '../source.ts';
import { checkList, readCandle } from './answers.ts';
import { type Api, type AssetAnswer, Refusal } from './api.ts';

/** Candles that one request may ask for, by days; the limit is 366 and a year. */
const DAYS_PER_REQUEST = 365;
/** Whole days within the reach of the plans Business, Pro and Starter; Enterprise has no limit. */
const PLAN_DAYS = [364, 89, 29];

export interface Closes {
  readonly bars: readonly ListedBar[];
  readonly rejects: readonly Reject[];
  readonly origin: string;
}

export interface ClosesRequest {
  readonly asset: AssetRef;
  readonly id: string;
  /** The last stored day, null for none. */
  readonly last: Day | null;
  readonly yesterday: Day;
  /** The oldest day wanted. */
  readonly from: Day | null;
}

export type PullCloses = (request: ClosesRequest, signal: AbortSignal) => Promise<Closes>;

/** The last full day: all that the free plan has. */
export function freeCloses(api: Api): PullCloses {
  return async ({ asset, id }, signal) => {
    const path = `/coins/${encodeURIComponent(id)}/ohlcv/latest`;
    return read(await api.ask(path, signal), asset, api.url(path));
  };
}

/** Every day since the last stored one. The first refusal shows how far back the plan reaches. */
export function paidCloses(api: Api): PullCloses {
  let reach = Number.POSITIVE_INFINITY;
  return async ({ asset, id, last, yesterday, from }, signal) => {
    const path = `/coins/${encodeURIComponent(id)}/ohlcv/historical`;
    const oldest = last ?? from ?? dayBefore(yesterday, DAYS_PER_REQUEST - 1);
    const found: Closes[] = [];
    for (let start: number = Math.max(oldest, yesterday - reach + 1); start <= yesterday; ) {
      const end = Math.min(start + DAYS_PER_REQUEST - 1, yesterday);
      const answer = await orRefusal(api.ask(`${path}?${span(start, end)}`, signal));
      if (answer instanceof Refusal) {
        const shorter =
          answer.status === 402 ? PLAN_DAYS.find(days => days < Math.min(reach, yesterday - start + 1)) : undefined;
        if (shorter === undefined) throw answer;
        reach = shorter;
        start = yesterday - reach + 1;
        continue;
      }
      found.push(read(answer, asset, api.url(path)));
      start = end + 1;
    }
    return {
      bars: found.flatMap(closes => closes.bars),
      rejects: found.flatMap(closes => closes.rejects),
      origin: api.url(path),
    };
  };
}

function dayBefore(day: Day, days: number): number {
  return Math.max(0, day - days);
}

function span(start: number, end: number): string {
  if (!isDay(start) || !isDay(end)) throw new RangeError(`no days: ${start}, ${end}`);
  // A candle is listed where it closes within the span, and it closes in the last second of its day.
  return `start=${isoFromDay(start)}&end=${isoFromDay(end)}T23:59:59Z&limit=${DAYS_PER_REQUEST + 1}&interval=24h`;
}

async function orRefusal(answer: Promise<AssetAnswer>): Promise<AssetAnswer | Refusal> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function read(answer: AssetAnswer, asset: AssetRef, origin: string): Closes {
  const refuse = (reason: Reject['reason'], detail: string): Closes => ({
    bars: [],
    rejects: [{ where: origin, reason, detail }],
    origin,
  });
  if (answer.kind === 'unknown') return refuse('unknown_asset', 'CoinPaprika has no prices of it');
  if (answer.kind === 'failed') return refuse('bad_answer', answer.detail);
  if (!Array.isArray(answer.body)) return refuse('bad_answer', `expected a list of candles, got ${got(answer.body)}`);
  const { records, rejects } = checkList(answer.body, origin, readCandle);
  return { bars: records.map(candle => ({ ...candle, asset, volume: Number.NaN })), rejects, origin };
}
