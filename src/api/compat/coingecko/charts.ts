// `coins/{id}/market_chart`, `coins/{id}/market_chart/range` and `coins/{id}/ohlc`: the days of one coin.
//
// CoinGecko's points carry the time at which a price was valid, and its candles the time at which they ended: a day's close stands at the
// end of the day.

import { mapInSteps, type Steps } from '../../../common/steps.ts';
import { dayOfMillis, MILLIS_PER_DAY } from '../../../domain/day.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { invalidValue, type ParameterFacts, queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import { barsBetween, type DailyBar, listInSteps, requireHistory } from '../bars.ts';
import { product } from '../market.ts';
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

/** Null for all days. */
function spanOf(context: ServiceContext, request: ApiRequest, days: number | typeof EVER): Span {
  const now = context.now();
  requireHistory(request, days === EVER ? Number.POSITIVE_INFINITY : days);
  return { from: days === EVER ? 0 : now - days * MILLIS_PER_DAY, to: now };
}

interface Chart {
  readonly name: string;
  readonly days: number | typeof EVER | null;
  readonly span: Span;
  /** The body, from each bar and its time. */
  readonly body: (points: readonly Point[], supplyNow: number | null) => Steps<string>;
}

const BARS_PER_STEP = 500;

interface Point extends DailyBar {
  readonly time: number;
}

function answerChart(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  { name, days, span, body }: Chart,
  more: unknown,
): Promise<Answer> {
  const { market } = coins;
  const coin = coinOf(coins, request.rest);
  const today = dayOfMillis(context.now());
  const key = [name, coin.id, days === null ? span : [days, today], more];
  return cachedRecord(context, request, market.snapshot, key, async () => {
    // A day stands at its end, which may be in the span although its start is before it.
    const days = { from: Math.floor(span.from / MILLIS_PER_DAY) - 1, to: Math.floor(span.to / MILLIS_PER_DAY) };
    const bars = await barsBetween(context, request, coin, days);
    const timed = await request.run(mapInSteps(bars, bar => ({ ...bar, time: market.timeOf(bar.day) }), BARS_PER_STEP));
    const points = timed.filter(({ time }) => time >= span.from && time <= span.to);
    return Buffer.from(await request.run(body(points, market.number(market.rowOf(coin), 'market_cap'))));
  });
}

/** The market capitalisation of past days is unknown, because the store has the supply of today only. */
function* chartBody(
  points: readonly Point[],
  capNow: number | null,
  newest: number,
  rounded: (value: number | null) => number | null,
): Steps<string> {
  const pair = (value: (point: Point) => number | null) => (point: Point) => `[${point.time},${value(point)}]`;
  const prices = yield* listInSteps(
    points,
    pair(({ close }) => rounded(close)),
  );
  const caps = yield* listInSteps(
    points,
    pair(({ day }) => (day === newest ? capNow : null)),
  );
  const volumes = yield* listInSteps(
    points,
    pair(({ volume, close }) => product(volume, close)),
  );
  return `{"prices":${prices},"market_caps":${caps},"total_volumes":${volumes}}`;
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
  precision: string | null,
  span: Span,
  days: number | typeof EVER | null,
): Promise<Answer> {
  const { lastDay } = coinOf(coins, request.rest);
  const body: Chart['body'] = (points, cap) => chartBody(points, cap, lastDay ?? -1, rounding(precision));
  return answerChart(context, request, coins, { name: 'market_chart', days, span, body }, precision);
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
    return answerMarketChart(context, request, coins, precision, spanOf(context, request, wanted), wanted);
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
    return answerMarketChart(context, request, coins, precision, span, null);
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
  handle: (context, request, coins, { days, precision }) => {
    const wanted = days === null || days === EVER ? EVER : Number(days);
    const rounded = rounding(precision);
    const candle = ({ time, open, high, low, close }: Point) =>
      `[${[time, ...[open, high, low, close].map(rounded)].map(String).join()}]`;
    const body: Chart['body'] = points => listInSteps(points, candle);
    const span = spanOf(context, request, wanted);
    return answerChart(context, request, coins, { name: 'ohlc', days: wanted, span, body }, precision);
  },
});
