// `coins/{id}/market_chart`, `coins/{id}/market_chart/range` and `coins/{id}/ohlc`: the days of one coin.
//
// CoinGecko's points carry the time at which a price was valid, and its candles the time at which they ended: a day's close stands at the
// end of the day.

import { dayOfMillis, MILLIS_PER_DAY } from '../../../domain/day.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { IndexedAsset } from '../../../snapshot/asset-index.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { invalidValue, type ParameterFacts, queryParameters } from '../../parameters.ts';
import { answerLists, listPieces, type Pieces } from '../answers.ts';
import { type AssetBars, readBars, requireHistory } from '../bars.ts';
import { wordParameter } from '../parameters.ts';
import { NUMBER } from '../schemas.ts';
import { type Coins, coinGeckoEndpoint, coinOf, rounding } from './endpoint.ts';
import { CURRENCY, PRECISION } from './values.ts';

const NOTE =
  'One point per day, at the end of the day; the last one at the time of the latest publication. Tiers without exports have the past 365 days.';
const EVER = 'max';

const DAYS: ParameterFacts<number | typeof EVER> = {
  doc: 'So many days back from now, or `max`.',
  takes: 'a number of days, or max',
  schema: { type: 'string' },
  required: true,
  parse: text => {
    if (text.toLowerCase() === EVER) return EVER;
    return /^\d{1,6}$/.test(text) && Number(text) >= 1 ? Number(text) : null;
  },
};

const PRICES = ['open', 'high', 'low', 'close'] as const;
const OHLC_DAYS = ['1', '7', '14', '30', '90', '180', '365', EVER] as const;
const INTERVAL = wordParameter('The store has days, so that `daily` is what every answer has.', ['daily']);

function timeParameter(doc: string): ParameterFacts<number> {
  return {
    doc,
    takes: 'a Unix time in seconds',
    schema: { type: 'number' },
    required: true,
    parse: text => (/^\d{1,10}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : null),
  };
}

/** In milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf(context: ServiceContext, request: ApiRequest, days: number | typeof EVER): Span {
  const now = context.now();
  requireHistory(request, days === EVER ? Number.POSITIVE_INFINITY : days);
  return { from: days === EVER ? 0 : now - days * MILLIS_PER_DAY, to: now };
}

interface Chart {
  readonly name: string;
  /** Null for a span between two times. */
  readonly days: number | typeof EVER | null;
  readonly span: Span;
  readonly precision: string | null;
}

/** The bars of a chart, and the time of each. */
interface Points {
  readonly coin: IndexedAsset;
  readonly bars: AssetBars;
  readonly timeOf: (row: number) => number;
  readonly rounded: ReturnType<typeof rounding>;
  /** A list with one entry per bar. */
  readonly list: (textAt: (row: number) => string) => Pieces;
}

const BARS_PER_PIECE = 500;

function answerChart(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  { name, days, span, precision }: Chart,
  body: (points: Points) => Pieces,
): Promise<Answer> {
  const { market } = coins;
  const coin = coinOf(coins, request.rest);
  const today = dayOfMillis(context.now());
  const key = [name, coin.id, days === null ? span : [days, today], precision];
  return answerLists(context, request, market.snapshot, key, async () => {
    const bars = await readBars(context, request, coin);
    const [first, end] = bars.between(day => market.timeOf(day), span.from, span.to);
    const timeOf = (row: number) => market.timeOf(bars.day(row));
    const list: Points['list'] = textAt => listPieces(first, end, textAt, BARS_PER_PIECE);
    const points = { coin, bars, timeOf, rounded: rounding(precision), list };
    return { entries: end - first, pieces: () => body(points) };
  });
}

const POINTS: JsonObject = {
  type: 'array',
  items: { type: 'array', prefixItems: [{ type: 'integer' }, NUMBER], minItems: 2, maxItems: 2 },
};
const CHART = exactly({ prices: POINTS, market_caps: POINTS, total_volumes: POINTS });

interface ChartWanted {
  readonly vs_currency: 'usd';
  readonly interval: 'daily';
  readonly precision: string;
}

const CHART_PARAMETERS = { vs_currency: CURRENCY, interval: INTERVAL, precision: PRECISION };

function answerMarketChart(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  chart: Omit<Chart, 'name'>,
): Promise<Answer> {
  const { market } = coins;
  function* body({ coin, bars, timeOf, rounded, list }: Points): Pieces {
    const pairs = (valueAt: (row: number) => number | null) => list(row => `[${timeOf(row)},${valueAt(row)}]`);
    // The market capitalisation of past days is unknown, because the store has the supply of today only.
    const capNow = market.number(market.rowOf(coin), 'market_cap');
    yield '{"prices":';
    yield* pairs(row => rounded(bars.number(row, 'close')));
    yield ',"market_caps":';
    yield* pairs(row => (bars.day(row) === coin.lastDay ? capNow : null));
    yield ',"total_volumes":';
    yield* pairs(row => bars.turnover(row));
    yield '}';
  }
  return answerChart(context, request, coins, { ...chart, name: 'market_chart' }, body);
}

export const marketChart = coinGeckoEndpoint({
  id: 'coingeckoMarketChart',
  path: 'coins/{id}/market_chart',
  summary: 'Prices and volumes of a coin, up to now',
  description: NOTE,
  parameters: queryParameters<ChartWanted & { days: number | typeof EVER }>(
    { ...CHART_PARAMETERS, days: DAYS },
    'ignored',
  ),
  schema: CHART,
  errors: ['not_in_tier'],
  handle: (context, request, coins, { days, precision }) => {
    const wanted = days ?? EVER;
    const span = spanOf(context, request, wanted);
    return answerMarketChart(context, request, coins, { days: wanted, span, precision });
  },
});

export const marketChartRange = coinGeckoEndpoint({
  id: 'coingeckoMarketChartRange',
  path: 'coins/{id}/market_chart/range',
  summary: 'Prices and volumes of a coin, between two times',
  description: NOTE,
  parameters: queryParameters<ChartWanted & { from: number; to: number }>(
    { ...CHART_PARAMETERS, from: timeParameter('The first time.'), to: timeParameter('The last time.') },
    'ignored',
  ),
  schema: CHART,
  errors: ['not_in_tier'],
  handle: (context, request, coins, { from, to, precision }) => {
    const span = { from: from ?? 0, to: to ?? 0 };
    if (span.from > span.to) throw invalidValue('from', String(span.from / 1000), 'a time that is not after to');
    requireHistory(request, (context.now() - span.from) / MILLIS_PER_DAY);
    return answerMarketChart(context, request, coins, { days: null, span, precision });
  },
});

export const ohlc = coinGeckoEndpoint({
  id: 'coingeckoOhlc',
  path: 'coins/{id}/ohlc',
  summary: 'Candles of a coin',
  description: `One candle per day: its end, open, high, low and close. ${NOTE}`,
  parameters: queryParameters<ChartWanted & { days: (typeof OHLC_DAYS)[number] }>(
    { ...CHART_PARAMETERS, days: wordParameter('So many days back from now, or `max`.', OHLC_DAYS, true) },
    'ignored',
  ),
  schema: {
    type: 'array',
    items: {
      type: 'array',
      prefixItems: [{ type: 'integer' }, NUMBER, NUMBER, NUMBER, { type: 'number' }],
      ...{ minItems: 5, maxItems: 5 },
    },
  },
  errors: ['not_in_tier'],
  readsOptional: false,
  handle: (context, request, coins, { days, precision }) => {
    const wanted = days === null || days === EVER ? EVER : Number(days);
    const chart: Chart = { name: 'ohlc', days: wanted, span: spanOf(context, request, wanted), precision };
    return answerChart(context, request, coins, chart, ({ bars, timeOf, rounded, list }) =>
      list(
        row =>
          `[${timeOf(row)},${PRICES.map(name => rounded(bars.number(row, name)))
            .map(String)
            .join()}]`,
      ),
    );
  },
});
