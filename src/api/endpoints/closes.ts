// `closes`: the latest closes of several assets in one response, for small charts.

import { responseSize } from '../../common/byte-cache.ts';
import type { AtTurn } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import {
  baseOf,
  LISTED_INTERVALS,
  type ListedInterval,
  type Period,
  timestampOfPeriod,
  type WrittenTime,
} from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { intervalCloses } from '../../history/interval-series.ts';
import type { Span } from '../../history/known-spans.ts';
import { assetOfTicker, requireInterval, requireQuote, requireReached } from '../../query/execute/find-named.ts';
import { PARAMETERS } from '../../query/parameters.ts';
import type { IndexedAsset, Snapshot } from '../../snapshot/table.ts';
import type { DailyCloses } from '../../store/store.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { publishedOf, type ServiceContext } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { exactly, type JsonObject, listOf } from '../json-schema.ts';
import { closesInQuote } from '../listing/closes-in-quote.ts';
import { quoteOf, requireBarsOfQuote } from '../listing/source.ts';
import {
  asOfPeriod,
  intervalParameter,
  invalidValue,
  queryParameters,
  quoteParameter,
  timeParameter,
  type WantedQuote,
} from '../parameters.ts';
import { RECORD_ERRORS, record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** A request reads at most as many bars as a history of a few decades has. */
const MAX_TICKERS = 100;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 90;

interface Wanted {
  readonly tickers: readonly string[];
  readonly interval: ListedInterval;
  readonly quote: QuoteAsset | null;
  readonly days: number;
  readonly asOf: Period | null;
}

export const closes = endpoint({
  id: 'listCloses',
  path: '/v1/{group}/closes',
  tag: 'Listings',
  summary: 'The latest closes of several assets, for small charts',
  description:
    'One entry per ticker that an asset has, in the order of the request. A day without a close has the close before it. A ticker that ' +
    'several assets have stands for the one in the listing.',
  parameters: queryParameters<{
    symbol: string[];
    interval: ListedInterval;
    quote: WantedQuote;
    days: number;
    as_of: WrittenTime;
  }>({
    symbol: {
      doc: `Tickers separated by commas: at most ${MAX_TICKERS}, and as many as the tier has rows per page.`,
      takes: PARAMETERS.symbol.takes,
      schema: { type: 'string' },
      list: true,
      required: true,
      parse: tickersIn,
    },
    interval: intervalParameter(),
    quote: quoteParameter(),
    days: {
      doc: 'Closes per asset, one per period; fewer if its history is shorter.',
      takes: `an integer from 1 to ${MAX_DAYS}`,
      schema: { type: 'integer', minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS },
      parse: text => (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS ? Number(text) : null),
    },
    as_of: timeParameter(
      'The last day, today at the latest, or a time in the last period. Without it, the period of the latest close of each asset.',
    ),
  }),
  errors: [...RECORD_ERRORS, 'unknown_interval', 'unknown_quote'],
  response: record('The closes.', 'Closes'),
  schemas: { Closes: schema() },
  handle: context => {
    /** Of current snapshots: a client draws the same charts again, and reading the closes takes most of the time. */
    const kept = new VersionedCache<Buffer>(CACHE_SHARES.closes * context.cacheBytes);
    return async (request, { symbol, interval: wantedInterval, quote: wantedQuote, days: wantedDays, as_of: time }) => {
      const [tickers, interval, days] = [symbol ?? [], wantedInterval ?? '1d', wantedDays ?? DEFAULT_DAYS];
      const asOf = time && asOfPeriod(interval, time);
      requireInterval(context.intervals(), interval, LISTED_INTERVALS);
      const most = Math.min(MAX_TICKERS, request.tier.maxRows);
      if (tickers.length > most) {
        throw invalidValue('symbol', `${tickers.length} tickers`, `at most ${most} tickers with this API key`);
      }
      const current = requireSnapshot(context);
      const quote = requireQuote(current, wantedQuote?.name ?? null);
      if (quote !== null) await requireBarsOfQuote(context, quote, interval, current.version);
      const wanted = { tickers, interval, quote, days, asOf };
      if (asOf !== null) {
        requireReached(asOf, context.now(), interval);
        const past = { interval, day: asOf, optional: false, inactive: false, ...quoteOf(quote) };
        const snapshot = await context.past(current, past, request.requester);
        const body = await request.slot(atTurn => bodyOf(context, snapshot, wanted, atTurn));
        return jsonRecord(context, request, body, snapshot.version);
      }
      const pages = kept.of(current.fingerprint);
      const name = [interval, quote?.assetNumber, days, ...tickers].join('\n');
      const known = pages.get(name);
      const body = known ?? (await request.slot(atTurn => bodyOf(context, current, wanted, atTurn)));
      if (known === undefined) pages.set(name, body, responseSize(name, body.length));
      return jsonRecord(context, request, body, current.version);
    };
  },
});

function tickersIn(text: string): string[] {
  const names = text.split(',').map(each => each.trim());
  return [...new Set(names.filter(name => name !== '').map(tickerKey))];
}

/** Assets that are read at a time: an embedded store takes the thread meanwhile. */
const ASSETS_PER_TURN = 10;

async function bodyOf(context: ServiceContext, snapshot: Snapshot, wanted: Wanted, atTurn: AtTurn): Promise<Buffer> {
  const result = await closesOf(context, snapshot, wanted, atTurn);
  const interval = wanted.interval === '1d' ? {} : { interval: wanted.interval };
  const quote = wanted.quote === null ? {} : { quote: wanted.quote.symbol };
  return Buffer.from(JSON.stringify({ ...interval, ...quote, days: wanted.days, result }));
}

interface AssetCloses {
  readonly symbol: string;
  readonly last_day: string;
  readonly last_at?: string;
  readonly closes: readonly number[];
}

async function closesOf(
  context: ServiceContext,
  { assetIndex }: Snapshot,
  wanted: Wanted,
  atTurn: AtTurn,
): Promise<readonly AssetCloses[]> {
  const assets = wanted.tickers.flatMap(ticker => assetOfTicker(assetIndex, ticker) ?? []);
  if (assets.length === 0) return [];
  const read = await atTurn(() => closesReader(context, wanted));
  if (assets.length <= ASSETS_PER_TURN) return atTurn(() => read(assets));
  const version = async () => {
    const first = assets.slice(0, 1).map(({ assetNumber }) => assetNumber);
    return (await context.series(baseOf(wanted.interval)).publishedSpans(first)).version;
  };
  const before = await atTurn(version);
  const found: AssetCloses[] = [];
  for (let i = 0; i < assets.length; i += ASSETS_PER_TURN) {
    found.push(...(await atTurn(() => read(assets.slice(i, i + ASSETS_PER_TURN)))));
  }
  // Published between two turns: a whole is of one version.
  return (await atTurn(version)) === before ? found : atTurn(() => read(assets));
}

type ReadCloses = (assets: readonly IndexedAsset[]) => Promise<readonly AssetCloses[]>;

async function closesReader(context: ServiceContext, { interval, quote, days, asOf }: Wanted): Promise<ReadCloses> {
  const series = context.series(baseOf(interval));
  const { closes: read } = quote === null ? series : await closesInQuote(context, quote, interval);
  return async assets => {
    const asked = [assets.map(({ assetNumber }) => assetNumber), days - 1, asOf ?? undefined] as const;
    if (interval === '1d') return listed(interval, assets, await read(...asked));
    const spans = new Map<number, Span>();
    const [histories, { version }] = [publishedOf(context), requireSnapshot(context)];
    await histories.readSpans(assets, interval, version);
    for (const asset of assets) {
      const { span } = await histories.span(asset, interval, version);
      if (span !== null) spans.set(asset.assetNumber, span);
    }
    return listed(interval, assets, await intervalCloses(read, interval, spans, [...asked]));
  };
}

function listed(
  interval: ListedInterval,
  assets: readonly IndexedAsset[],
  { starts, close, lastDay }: DailyCloses,
): AssetCloses[] {
  return assets.flatMap(({ symbol }, i) => {
    const closes = [...close.subarray(starts[i], starts[i + 1])];
    // The store gives plain numbers.
    const at = timestampOfPeriod(interval, lastDay[i] as Period);
    const last = { last_day: at.slice(0, 10), ...(interval === '1d' ? {} : { last_at: at }) };
    return closes.length === 0 ? [] : [{ symbol, ...last, closes }];
  });
}

function schema(): JsonObject {
  const entry = exactly(
    {
      symbol: { type: 'string', description: 'Ticker of the asset.' },
      last_day: { type: 'string', format: 'date', description: 'Day of the last close.' },
      last_at: { type: 'string', description: 'Start of its period, if the interval is not a day.' },
      closes: listOf({ type: 'number' }, 'One close per period, oldest first, in the quote.'),
    },
    ['last_at'],
  );
  return {
    ...exactly(
      {
        interval: { type: 'string', description: 'Of the closes, if it is not a day.' },
        quote: { type: 'string', description: 'Ticker of the quote, if it is not USD.' },
        days: { type: 'integer', description: 'Closes per asset, unless its history is shorter.' },
        result: listOf(entry, 'One entry per asset.'),
      },
      ['interval', 'quote'],
    ),
    description: 'The latest closes of several assets.',
  };
}
