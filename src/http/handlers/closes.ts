// The handler of `closes`: the latest daily closes of several assets in one response, for small charts.

import { ByteCache, responseSize } from '../../common/byte-cache.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { type Day, isoFromDay, lastDayFromIso } from '../../domain/day.ts';
import type { Tier } from '../../domain/tiers.ts';
import { ApiError, clipped, quoted } from '../../errors.ts';
import { assetOfTicker } from '../../query/execute/find-asset.ts';
import { splitQuery } from '../../query/parse/split-query.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { jsonRecord } from './json-record.ts';
import { requireReached } from './listing.ts';
import { requireSnapshot } from './readiness.ts';

/** A request reads at most as many bars as a history of a few decades has. */
export const MAX_TICKERS = 100;
export const MAX_DAYS = 366;
export const DEFAULT_DAYS = 90;

interface Wanted {
  readonly tickers: readonly string[];
  readonly days: number;
  readonly asOf: Day | null;
}

export function closesHandler(context: ServiceContext): Handler {
  /** Of current snapshots: a client draws the same charts again, and reading the closes takes most of the time. */
  const kept = new ByteCache<Buffer>(CACHE_SHARES.closes * context.cacheBytes);
  return async request => {
    const { tickers, days, asOf } = parse(request.query, request.tier);
    const current = requireSnapshot(context);
    if (asOf !== null) requireReached(asOf, context.now());
    const snapshot =
      asOf === null
        ? current
        : await context.past(current, { day: asOf, optional: false, inactive: false }, request.requester);
    const name = [snapshot.fingerprint, days, ...tickers].join('\n');
    const known = asOf === null ? kept.get(name) : undefined;
    const body =
      known ?? (await request.slot(atTurn => atTurn(() => bodyOf(context, snapshot, { tickers, days, asOf }))));
    if (asOf === null && known === undefined) kept.set(name, body, responseSize(name, body.length));
    return jsonRecord(context, request, body, snapshot.version);
  };
}

async function bodyOf(context: ServiceContext, snapshot: Snapshot, wanted: Wanted): Promise<Buffer> {
  const result = await closesOf(context, snapshot, wanted);
  return Buffer.from(JSON.stringify({ days: wanted.days, result }));
}

async function closesOf(context: ServiceContext, { assetIndex }: Snapshot, { tickers, days, asOf }: Wanted) {
  const assets = tickers.flatMap(ticker => assetOfTicker(assetIndex, ticker) ?? []);
  if (assets.length === 0) return [];
  const assetNumbers = assets.map(({ assetNumber }) => assetNumber);
  const { starts, close, lastDay } = await context.recentCloses(assetNumbers, days - 1, asOf ?? undefined);
  return assets.flatMap(({ symbol }, i) => {
    const closes = [...close.subarray(starts[i], starts[i + 1])];
    // The days number is branded; the store gives plain ones.
    return closes.length === 0 ? [] : [{ symbol, last_day: isoFromDay(lastDay[i] as Day), closes }];
  });
}

function parse(query: string, tier: Tier): Wanted {
  const tickers = new Set<string>();
  let days: number | null = null;
  let asOf: Day | null = null;
  for (const { name, value = '' } of splitQuery(query)) {
    switch (name) {
      case 'api_key':
        break;
      case 'symbol':
      case 'symbol[]':
        for (const each of (value ?? '').split(',')) if (each.trim() !== '') tickers.add(tickerKey(each.trim()));
        break;
      case 'days':
        if (days !== null) throw repeated(name);
        days = /^\d{1,3}$/.test(value ?? '') ? Number(value) : 0;
        if (days < 1 || days > MAX_DAYS) throw invalid(name, value ?? '', `an integer from 1 to ${MAX_DAYS}`);
        break;
      case 'as_of':
        if (asOf !== null) throw repeated(name);
        asOf = lastDayFromIso(value ?? '');
        if (asOf === null) throw invalid(name, value ?? '', 'a day such as 2026-01-31, today at the latest');
        break;
      default:
        throw new ApiError('unknown_parameter', `There is no parameter ${quoted(name)} here.`, {
          param: clipped(name),
          hint: 'The parameters of this endpoint are symbol, days and as_of.',
        });
    }
  }
  const most = Math.min(MAX_TICKERS, tier.maxRows);
  if (tickers.size === 0) {
    throw new ApiError('missing_parameter', 'symbol is missing.', {
      param: 'symbol',
      hint: 'symbol takes tickers separated by commas.',
    });
  }
  if (tickers.size > most)
    throw invalid('symbol', `${tickers.size} tickers`, `at most ${most} tickers with this API key`);
  return { tickers: [...tickers], days: days ?? DEFAULT_DAYS, asOf };
}

function repeated(name: string): ApiError {
  return new ApiError('duplicate_parameter', `${name} is given more than once.`, { param: name });
}

function invalid(name: string, text: string, takes: string): ApiError {
  return new ApiError('invalid_value', `${name} cannot be ${quoted(text)}.`, {
    param: name,
    hint: `${name} takes ${takes}.`,
  });
}
