// `closes`: the latest daily closes of several assets in one response, for small charts.

import { responseSize } from '../../common/byte-cache.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { type Day, isoFromDay } from '../../domain/day.ts';
import { requireReached } from '../../query/as-of.ts';
import { assetOfTicker } from '../../query/execute/find-asset.ts';
import { PARAMETERS } from '../../query/parameters.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { ServiceContext } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { exactly, type JsonObject, listOf } from '../json-schema.ts';
import { dayParameter, invalidValue, queryParameters } from '../parameters.ts';
import { RECORD_ERRORS, record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** A request reads at most as many bars as a history of a few decades has. */
const MAX_TICKERS = 100;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 90;

interface Wanted {
  readonly tickers: readonly string[];
  readonly days: number;
  readonly asOf: Day | null;
}

export const closes = endpoint({
  id: 'listCloses',
  path: '/v1/{group}/closes',
  tag: 'Listings',
  summary: 'The latest daily closes of several assets, for small charts',
  description:
    'One entry per ticker that an asset has, in the order of the request. A day without a close has the close before it. A ticker that ' +
    'several assets have stands for the one in the listing.',
  parameters: queryParameters<{ symbol: string[]; days: number; as_of: Day }>({
    symbol: {
      doc: `Tickers separated by commas: at most ${MAX_TICKERS}, and as many as the tier has rows per page.`,
      takes: PARAMETERS.symbol.takes,
      schema: { type: 'string' },
      list: true,
      required: true,
      parse: tickersIn,
    },
    days: {
      doc: 'Closes per asset; fewer if its history is shorter.',
      takes: `an integer from 1 to ${MAX_DAYS}`,
      schema: { type: 'integer', minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS },
      parse: text => (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS ? Number(text) : null),
    },
    as_of: dayParameter(
      'The last day, today at the latest. Without it, the day of the latest close of each asset.',
      PARAMETERS.as_of.takes,
    ),
  }),
  errors: RECORD_ERRORS,
  response: record('The closes.', 'Closes'),
  schemas: { Closes: schema() },
  handle: context => {
    /** Of current snapshots: a client draws the same charts again, and reading the closes takes most of the time. */
    const kept = new VersionedCache<Buffer>(CACHE_SHARES.closes * context.cacheBytes);
    return async (request, { symbol, days: wantedDays, as_of: asOf }) => {
      const [tickers, days] = [symbol ?? [], wantedDays ?? DEFAULT_DAYS];
      const most = Math.min(MAX_TICKERS, request.tier.maxRows);
      if (tickers.length > most) {
        throw invalidValue('symbol', `${tickers.length} tickers`, `at most ${most} tickers with this API key`);
      }
      const current = requireSnapshot(context);
      const wanted = { tickers, days, asOf };
      if (asOf !== null) {
        requireReached(asOf, context.now());
        const past = { day: asOf, optional: false, inactive: false };
        const snapshot = await context.past(current, past, request.requester);
        const body = await request.slot(atTurn => atTurn(() => bodyOf(context, snapshot, wanted)));
        return jsonRecord(context, request, body, snapshot.version);
      }
      const pages = kept.of(current.fingerprint);
      const name = [days, ...tickers].join('\n');
      const known = pages.get(name);
      const body = known ?? (await request.slot(atTurn => atTurn(() => bodyOf(context, current, wanted))));
      if (known === undefined) pages.set(name, body, responseSize(name, body.length));
      return jsonRecord(context, request, body, current.version);
    };
  },
});

function tickersIn(text: string): string[] {
  const names = text.split(',').map(each => each.trim());
  return [...new Set(names.filter(name => name !== '').map(tickerKey))];
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

function schema(): JsonObject {
  const entry = exactly({
    symbol: { type: 'string', description: 'Ticker of the asset.' },
    last_day: { type: 'string', format: 'date', description: 'Day of the last close.' },
    closes: listOf({ type: 'number' }, 'One close per day, oldest first, in USD.'),
  });
  return {
    ...exactly({
      days: { type: 'integer', description: 'Closes per asset, unless its history is shorter.' },
      result: listOf(entry, 'One entry per asset.'),
    }),
    description: 'The latest daily closes of several assets.',
  };
}
