// `coins/{id}/market_chart`, `coins/{id}/market_chart/range` and `coins/{id}/ohlc`: the bars of one coin.
//
// CoinGecko's points carry the time at which a price was valid, and its candles the time at which they ended: a day's close stands at the
// end of the day. The distance of the points depends on the span, as CoinGecko documents it. Where the store lacks
// bars of that interval over the whole span, the next longer interval is used.

import { MILLIS_PER_DAY } from '../../../domain/day.ts';
import { type Interval, periodOfMillis } from '../../../domain/interval.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { invalidValue, type ParameterFacts, queryParameters } from '../../parameters.ts';
import { answerLists, listPieces, type Pieces } from '../answers.ts';
import {
  type AssetBars,
  type CandleLength,
  Candles,
  covers,
  isServed,
  readBars,
  requireHistory,
  requireServed,
  type TimeSpan,
} from '../bars.ts';
import { marketCaps } from '../market-caps.ts';
import { wordParameter } from '../parameters.ts';
import { NUMBER } from '../schemas.ts';
import { type Coins, coinGeckoEndpoint, coinOf, rounding } from './endpoint.ts';
import { CURRENCY, PRECISION } from './values.ts';

const NOTE =
  'Each at the end of its period; the last one at the time of the latest publication. Tiers without exports have the past 365 days.';
const CHART_NOTE = `One point per 5 minutes over the past day, per hour up to 90 days, else per day, as far as there are such bars; else the next longer ones. ${NOTE}`;
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
const INTERVALS = new Map<string, Interval>([
  ['5m', '5m'],
  ['hourly', '1h'],
  ['daily', '1d'],
]);
const CHART_INTERVAL = wordParameter('Distance of the points, instead of the one that the span has.', [
  ...INTERVALS.keys(),
]);
const OHLC_INTERVAL = wordParameter('Length of the candles, instead of the one that the span has.', [
  'hourly',
  'daily',
]);

function timeParameter(doc: string): ParameterFacts<number> {
  return {
    doc,
    takes: 'a Unix time in seconds',
    schema: { type: 'number' },
    required: true,
    parse: text => (/^\d{1,10}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : null),
  };
}

function spanOf(context: ServiceContext, request: ApiRequest, days: number | typeof EVER): TimeSpan {
  const now = context.now();
  requireHistory(request, days === EVER ? Number.POSITIVE_INFINITY : days);
  return { from: days === EVER ? 0 : now - days * MILLIS_PER_DAY, to: now };
}

/** A client's clock may differ from ours, and a request takes time. */
const SLACK_MS = 5 * 60_000;

/** The length of a span, and how long ago it ended, both in days. */
function measured({ from, to }: TimeSpan, now: number): { readonly days: number; readonly ago: number } {
  const end = Math.min(to, now);
  return { days: (end - from - SLACK_MS) / MILLIS_PER_DAY, ago: (now - end - SLACK_MS) / MILLIS_PER_DAY };
}

/** From the documented one to longer ones. */
function chartIntervals(span: TimeSpan, now: number): readonly Interval[] {
  const { days, ago } = measured(span, now);
  if (days <= 1 && ago <= 0) return ['5m', '1h', '1d'];
  return days <= 90 ? ['1h', '1d'] : ['1d'];
}

function candleIntervals(span: TimeSpan, now: number): readonly Interval[] {
  const { days } = measured(span, now);
  if (days <= 2) return ['30m', '1h', '1d'];
  return days <= 30 ? ['4h', '1d'] : ['1d'];
}

/** Of a span of more than 30 days. */
const LONG_CANDLE: CandleLength = { interval: '1d', periods: 4 };

interface Chart {
  readonly name: string;
  /** Null for a span between two times. */
  readonly days: number | typeof EVER | null;
  readonly span: TimeSpan;
  /** From the wanted one to longer ones. */
  readonly intervals: readonly Interval[];
  /** Bars per entry. */
  readonly periods?: number;
  readonly precision: string | null;
  readonly withCaps?: boolean;
}

/** The bars of a chart. */
interface Points {
  readonly bars: AssetBars;
  /** The market capitalisation, if the chart has it. */
  readonly capOf: (row: number) => number | null;
  readonly candles: Candles;
  readonly rounded: ReturnType<typeof rounding>;
  /** A list with one entry per candle, of its time and these values. */
  readonly list: (valuesAt: (row: number) => readonly (number | null)[]) => Pieces;
}

const BARS_PER_PIECE = 500;

function answerChart(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  { name, days, span, intervals, periods = 1, precision, withCaps = false }: Chart,
  body: (points: Points) => Pieces,
): Promise<Answer> {
  const { market } = coins;
  const coin = coinOf(coins, request.rest);
  const served = intervals.filter(interval => isServed(context, interval));
  // The span moves on with each period.
  const until = periodOfMillis(served[0] ?? '1d', context.now());
  const key = [name, coin.id, days === null ? span : [days, until], served, periods, precision];
  return answerLists(context, request, market.snapshot, key, async () => {
    for (const [i, interval] of served.entries()) {
      const isOnly = i === served.length - 1;
      if (!isOnly && !(await covers(context, market, coin, span, interval))) continue;
      const bars = await readBars(context, request, coin, interval);
      const candles = new Candles(bars, { interval, periods });
      const timeOf = (row: number) => market.knownAt(candles.start(row), candles.end(row));
      const [first, end] = bars.between(timeOf, span.from, span.to);
      if (first === end && !isOnly) continue;
      const list: Points['list'] = valuesAt => {
        const textAt = (row: number) =>
          candles.isLast(row) ? `[${[timeOf(row), ...valuesAt(row)].map(String)}]` : null;
        return listPieces(first, end, textAt, BARS_PER_PIECE);
      };
      const capOf = withCaps ? await marketCaps(context, market, coin, bars, interval) : () => null;
      const points = { candles, bars, capOf, rounded: rounding(precision), list };
      return { entries: end - first, pieces: () => body(points) };
    }
    throw new Error('the store serves no days');
  });
}

const POINTS: JsonObject = {
  type: 'array',
  items: { type: 'array', prefixItems: [{ type: 'integer' }, NUMBER], minItems: 2, maxItems: 2 },
};
const CHART = exactly({ prices: POINTS, market_caps: POINTS, total_volumes: POINTS });

interface ChartWanted {
  readonly vs_currency: 'usd';
  readonly interval: string;
  readonly precision: string;
}

const CHART_PARAMETERS = { vs_currency: CURRENCY, interval: CHART_INTERVAL, precision: PRECISION };

/** The interval that a request names. */
function namedInterval(context: ServiceContext, name: string | null): readonly Interval[] | null {
  if (name === null) return null;
  requireServed(context, 'interval', name, INTERVALS);
  return [INTERVALS.get(name) ?? '1d'];
}

function answerMarketChart(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  { interval, ...chart }: Omit<Chart, 'name' | 'intervals'> & { readonly interval: string | null },
): Promise<Answer> {
  const intervals = namedInterval(context, interval) ?? chartIntervals(chart.span, context.now());
  function* body({ bars, capOf, rounded, list }: Points): Pieces {
    yield '{"prices":';
    yield* list(row => [rounded(bars.number(row, 'close'))]);
    yield ',"market_caps":';
    yield* list(row => [capOf(row)]);
    yield ',"total_volumes":';
    yield* list(row => [bars.turnover24h(row)]);
    yield '}';
  }
  return answerChart(context, request, coins, { ...chart, intervals, name: 'market_chart', withCaps: true }, body);
}

export const marketChart = coinGeckoEndpoint({
  id: 'coingeckoMarketChart',
  path: 'coins/{id}/market_chart',
  summary: 'Prices and volumes of a coin, up to now',
  description: CHART_NOTE,
  parameters: queryParameters<ChartWanted & { days: number | typeof EVER }>(
    { ...CHART_PARAMETERS, days: DAYS },
    'ignored',
  ),
  schema: CHART,
  errors: ['not_in_tier'],
  handle: (context, request, coins, { days, interval, precision }) => {
    const wanted = days ?? EVER;
    const span = spanOf(context, request, wanted);
    return answerMarketChart(context, request, coins, { days: wanted, span, interval, precision });
  },
});

export const marketChartRange = coinGeckoEndpoint({
  id: 'coingeckoMarketChartRange',
  path: 'coins/{id}/market_chart/range',
  summary: 'Prices and volumes of a coin, between two times',
  description: CHART_NOTE,
  parameters: queryParameters<ChartWanted & { from: number; to: number }>(
    { ...CHART_PARAMETERS, from: timeParameter('The first time.'), to: timeParameter('The last time.') },
    'ignored',
  ),
  schema: CHART,
  errors: ['not_in_tier'],
  handle: (context, request, coins, { from, to, interval, precision }) => {
    const span = { from: from ?? 0, to: to ?? 0 };
    if (span.from > span.to) throw invalidValue('from', String(span.from / 1000), 'a time that is not after to');
    requireHistory(request, (context.now() - span.from) / MILLIS_PER_DAY);
    return answerMarketChart(context, request, coins, { days: null, span, interval, precision });
  },
});

export const ohlc = coinGeckoEndpoint({
  id: 'coingeckoOhlc',
  path: 'coins/{id}/ohlc',
  summary: 'Candles of a coin',
  description: `One candle per 30 minutes over up to 2 days, per 4 hours up to 30 days, else per 4 days, as far as there are such bars; else the next longer ones: its end, open, high, low and close. ${NOTE}`,
  parameters: queryParameters<ChartWanted & { days: (typeof OHLC_DAYS)[number] }>(
    {
      ...CHART_PARAMETERS,
      interval: OHLC_INTERVAL,
      days: wordParameter('So many days back from now, or `max`.', OHLC_DAYS, true),
    },
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
  handle: (context, request, coins, { days, interval, precision }) => {
    const wanted = days === null || days === EVER ? EVER : Number(days);
    const span = spanOf(context, request, wanted);
    const named = namedInterval(context, interval);
    const intervals = named ?? candleIntervals(span, context.now());
    const periods = named === null && intervals[0] === LONG_CANDLE.interval ? LONG_CANDLE.periods : 1;
    const chart: Chart = { name: 'ohlc', days: wanted, span, intervals, periods, precision };
    return answerChart(context, request, coins, chart, ({ candles, rounded, list }) =>
      list(row => PRICES.map(name => rounded(candles.number(row, name)))),
    );
  },
});
