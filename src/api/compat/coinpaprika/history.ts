// `tickers/{id}/historical` and `coins/{id}/ohlcv/historical`: the bars of one coin.

import { lastDayFromIso, MILLIS_PER_DAY } from '../../../domain/day.ts';
import { startOfPeriod } from '../../../domain/interval.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { invalidValue, type ParameterFacts, queryParameters } from '../../parameters.ts';
import { answerLists, listPieces } from '../answers.ts';
import { type AssetBars, type CandleLength, Candles, readBars, requireHistory, requireServed } from '../bars.ts';
import type { Market } from '../market.ts';
import { marketCaps } from '../market-caps.ts';
import { countParameter, wordParameter } from '../parameters.ts';
import { each, NUMBER, TEXT } from '../schemas.ts';
import { coinOf, coinPaprikaEndpoint } from './endpoint.ts';
import { secondsText } from './tickers.ts';

/** Time between two ticks, in CoinPaprika's names. 4h is ours. */
const TICKS: ReadonlyMap<string, CandleLength> = new Map([
  ['5m', { interval: '5m', periods: 1 }],
  ['10m', { interval: '5m', periods: 2 }],
  ['15m', { interval: '15m', periods: 1 }],
  ['30m', { interval: '30m', periods: 1 }],
  ['45m', { interval: '15m', periods: 3 }],
  ['1h', { interval: '1h', periods: 1 }],
  ['2h', { interval: '1h', periods: 2 }],
  ['3h', { interval: '1h', periods: 3 }],
  ['4h', { interval: '4h', periods: 1 }],
  ['6h', { interval: '1h', periods: 6 }],
  ['12h', { interval: '12h', periods: 1 }],
  ['24h', { interval: '1d', periods: 1 }],
  ['1d', { interval: '1d', periods: 1 }],
  ['7d', { interval: '1d', periods: 7 }],
  ['14d', { interval: '1d', periods: 14 }],
  ['30d', { interval: '1d', periods: 30 }],
  ['90d', { interval: '1d', periods: 90 }],
  ['365d', { interval: '1d', periods: 365 }],
]);
const CANDLES = ['5m', '15m', '30m', '1h', '4h', '6h', '12h', '24h', '1d'];
const TICK_NAMES = [...TICKS.keys()];
const MOST_TICKS = 5000;
const DEFAULT_TICKS = 1000;
const MOST_CANDLES = 366;

const FORMS = 'a day such as 2026-06-30, a time such as 2026-06-30T00:00:00Z, or a Unix time in seconds';

/** In milliseconds since 1970. */
function timeParameter(doc: string, required?: true): ParameterFacts<number> {
  return {
    doc: `${doc}: ${FORMS}.`,
    takes: FORMS,
    schema: { type: 'string' },
    ...(required ? { required } : {}),
    parse: millisOf,
  };
}

function millisOf(text: string): number | null {
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const day = lastDayFromIso(text);
  if (day !== null) return day * MILLIS_PER_DAY;
  const millis = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return millis >= 0 ? millis : null;
}

/** The length that a request names, or a day. `names`: those that the endpoint takes. */
function lengthOf(context: ServiceContext, name: string | null, names: readonly string[]): CandleLength {
  const taken = [...TICKS].filter(([each]) => names.includes(each));
  requireServed(context, 'interval', name ?? '1d', new Map(taken.map(([each, { interval }]) => [each, interval])));
  return TICKS.get(name ?? '1d') ?? { interval: '1d', periods: 1 };
}

/** Periods, from the first that starts at or after `start` to the one of `end`. `unit`: their milliseconds. */
function periodsOf(
  context: ServiceContext,
  request: ApiRequest,
  start: number | null,
  end: number | null,
  unit: number,
) {
  const [from, to] = [start ?? 0, end ?? context.now()];
  if (from > to) throw invalidValue('start', new Date(from).toISOString(), 'a time that is not after end');
  requireHistory(request, (context.now() - from) / MILLIS_PER_DAY - 1);
  return { from: Math.ceil(from / unit), to: Math.floor(to / unit) };
}

interface Wanted {
  readonly name: string;
  readonly length: CandleLength;
  /** Both included: periods of the interval for ticks, and candles for candles. */
  readonly span: ReturnType<typeof periodsOf>;
  readonly limit: number;
}

/** An array with one entry per chosen row. */
function history(
  context: ServiceContext,
  request: ApiRequest,
  market: Market,
  wanted: Wanted,
  chooser: (bars: AssetBars) => Chooser,
): Promise<Answer> {
  const found = coinOf(market, request.rest);
  return answerLists(context, request, market.snapshot, [wanted, found.id], async () => {
    const bars = await readBars(context, request, found, wanted.length.interval);
    const { place, isChosen, entryAt } = chooser(bars);
    const { span, limit } = wanted;
    const [first, end] = bars.between(place, span.from, span.to);
    const rows: number[] = [];
    for (let row = first; row < end && rows.length < limit; row++) if (isChosen(row)) rows.push(row);
    const capOf = await marketCaps(context, market, found, bars, wanted.length.interval);
    const textAt = (i: number) => JSON.stringify({ ...entryAt(rows[i]!), market_cap: capOf(rows[i]!) });
    return { entries: rows.length, pieces: () => listPieces(0, rows.length, textAt) };
  });
}

interface Chooser {
  /** Where a row lies in the span. */
  readonly place: (row: number) => number;
  readonly isChosen: (row: number) => boolean;
  readonly entryAt: (row: number) => object;
}

const QUOTE = wordParameter('Currency of the numbers.', ['usd']);

export const tickerHistory = coinPaprikaEndpoint({
  id: 'coinpaprikaTickerHistory',
  path: 'tickers/{id}/historical',
  summary: 'The prices of one coin on past days',
  description:
    'One entry per interval, at its start, with the close of the bar that begins there. Without `interval` it is a day. Tiers without exports have the past 365 days.',
  parameters: queryParameters<{
    start: number;
    end: number;
    limit: number;
    quote: 'usd';
    interval: string;
  }>(
    {
      start: timeParameter('The first time', true),
      end: timeParameter('The last time; without it, now'),
      limit: countParameter('Entries at most; 1,000 without it.', MOST_TICKS),
      quote: QUOTE,
      interval: wordParameter('Time between two entries, as far as the store has bars so short.', TICK_NAMES),
    },
    'ignored',
  ),
  schema: {
    type: 'array',
    items: exactly({ timestamp: TEXT, price: { type: 'number' }, volume_24h: NUMBER, market_cap: NUMBER }),
  },
  errors: ['not_in_tier'],
  handle: (context, request, market, { start, end, limit, interval }) => {
    const length = lengthOf(context, interval, TICK_NAMES);
    const span = periodsOf(context, request, start, end, startOfPeriod(length.interval, 1));
    const wanted = { name: 'ticks', length, span, limit: limit ?? DEFAULT_TICKS };
    return history(context, request, market, wanted, bars => ({
      place: row => bars.period(row),
      isChosen: row => (bars.period(row) - span.from) % length.periods === 0,
      entryAt: row => ({
        timestamp: secondsText(bars.start(row)),
        price: bars.number(row, 'close'),
        volume_24h: bars.turnover24h(row),
      }),
    }));
  },
});

const CANDLE: JsonObject = exactly({
  ...{ time_open: TEXT, time_close: TEXT },
  ...each(['open', 'high', 'low', 'close', 'volume', 'market_cap'], NUMBER),
});

export const ohlcvHistory = coinPaprikaEndpoint({
  id: 'coinpaprikaOhlcvHistory',
  path: 'coins/{id}/ohlcv/historical',
  summary: 'Candles of one coin',
  description:
    'One entry per day, or per `interval`; `volume` in dollars. Without `end`, as many as `limit` says. Tiers without exports have the past 365 days.',
  parameters: queryParameters<{ start: number; end: number; limit: number; quote: 'usd'; interval: string }>(
    {
      start: timeParameter('The first time', true),
      end: timeParameter('The last time'),
      limit: countParameter('Entries at most, up to 366; without it 1, or with `end` 366.', MOST_CANDLES),
      quote: QUOTE,
      interval: wordParameter('Length of a candle, as far as the store has bars so short.', CANDLES),
    },
    'ignored',
  ),
  schema: { type: 'array', items: CANDLE },
  errors: ['not_in_tier'],
  handle: (context, request, market, { start, end, limit, interval }) => {
    const length = lengthOf(context, interval, CANDLES);
    const span = periodsOf(context, request, start, end, startOfPeriod(length.interval, length.periods));
    const wanted = { name: 'candles', length, span, limit: limit ?? (end === null ? 1 : MOST_CANDLES) };
    return history(context, request, market, wanted, bars => {
      const candles = new Candles(bars, length);
      return {
        place: row => candles.place(row),
        isChosen: row => candles.isLast(row),
        entryAt: row => ({
          time_open: secondsText(candles.start(row)),
          time_close: secondsText(candles.end(row) - 1000),
          open: candles.number(row, 'open'),
          high: candles.number(row, 'high'),
          low: candles.number(row, 'low'),
          close: candles.number(row, 'close'),
          volume: candles.turnover(row),
        }),
      };
    });
  },
});
