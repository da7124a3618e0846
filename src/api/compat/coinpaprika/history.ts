// `tickers/{id}/historical` and `coins/{id}/ohlcv/historical`: the days of one coin.

import { lastDayFromIso, MILLIS_PER_DAY } from '../../../domain/day.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { invalidValue, type ParameterFacts, queryParameters } from '../../parameters.ts';
import { answerLists, listPieces } from '../answers.ts';
import { type AssetBars, readBars, requireHistory } from '../bars.ts';
import type { Market } from '../market.ts';
import { countParameter, wordParameter } from '../parameters.ts';
import { each, NUMBER, TEXT } from '../schemas.ts';
import { coinOf, coinPaprikaEndpoint } from './endpoint.ts';
import { secondsText } from './tickers.ts';

/** Days between two points. Shorter intervals are refused: the store has days. */
const TICK_DAYS = { '24h': 1, '1d': 1, '7d': 7, '14d': 14, '30d': 30, '90d': 90, '365d': 365 } as const;
const TICK_INTERVALS = Object.keys(TICK_DAYS) as (keyof typeof TICK_DAYS)[]; // keys of the table
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

/** The days from the one of `start`, if it begins the day, to the one of `end`. */
function daysOf(context: ServiceContext, request: ApiRequest, start: number | null, end: number | null) {
  const [from, to] = [start ?? 0, end ?? context.now()];
  if (from > to) throw invalidValue('start', new Date(from).toISOString(), 'a time that is not after end');
  requireHistory(request, (context.now() - from) / MILLIS_PER_DAY - 1);
  return { from: Math.ceil(from / MILLIS_PER_DAY), to: Math.floor(to / MILLIS_PER_DAY) };
}

interface Wanted {
  readonly name: string;
  /** Days, both included. */
  readonly span: ReturnType<typeof daysOf>;
  /** Days between two entries. */
  readonly step: number;
  readonly limit: number;
}

/** An array with one entry per bar, or per `step` days. */
function history(
  context: ServiceContext,
  request: ApiRequest,
  market: Market,
  wanted: Wanted,
  entryAt: (bars: AssetBars, row: number) => object,
): Promise<Answer> {
  const found = coinOf(market, request.rest);
  return answerLists(context, request, market.snapshot, [wanted, found.id], async () => {
    const bars = await readBars(context, request, found);
    const rows = chosenRows(bars, wanted);
    // The market capitalisation of past days is unknown, because the store has the supply of today only.
    const capNow = market.number(market.rowOf(found), 'market_cap');
    const capAt = (row: number) => (bars.day(row) === found.lastDay ? capNow : null);
    const textAt = (i: number) => JSON.stringify({ ...entryAt(bars, rows[i]!), market_cap: capAt(rows[i]!) });
    return { entries: rows.length, pieces: () => listPieces(0, rows.length, textAt) };
  });
}

function chosenRows(bars: AssetBars, { span, step, limit }: Wanted): number[] {
  const [first, end] = bars.between(day => day, span.from, span.to);
  const rows: number[] = [];
  for (let row = first; row < end && rows.length < limit; row++) {
    if ((bars.day(row) - span.from) % step === 0) rows.push(row);
  }
  return rows;
}

const QUOTE = wordParameter('Currency of the numbers.', ['usd']);

export const tickerHistory = coinPaprikaEndpoint({
  id: 'coinpaprikaTickerHistory',
  path: 'tickers/{id}/historical',
  summary: 'The prices of one coin on past days',
  description:
    'One entry per day, at its start, with the close of that day. Without `interval` it is a day. Tiers without exports have the past 365 days.',
  parameters: queryParameters<{
    start: number;
    end: number;
    limit: number;
    quote: 'usd';
    interval: keyof typeof TICK_DAYS;
  }>(
    {
      start: timeParameter('The first time', true),
      end: timeParameter('The last time; without it, now'),
      limit: countParameter('Entries at most; 1,000 without it.', MOST_TICKS),
      quote: QUOTE,
      interval: wordParameter('Time between two entries.', TICK_INTERVALS),
    },
    'ignored',
  ),
  schema: {
    type: 'array',
    items: exactly({ timestamp: TEXT, price: { type: 'number' }, volume_24h: NUMBER, market_cap: NUMBER }),
  },
  errors: ['not_in_tier'],
  handle: (context, request, market, { start, end, limit, interval }) => {
    const span = daysOf(context, request, start, end);
    const wanted = { name: 'ticks', span, step: TICK_DAYS[interval ?? '1d'], limit: limit ?? DEFAULT_TICKS };
    return history(context, request, market, wanted, (bars, row) => ({
      timestamp: secondsText(bars.day(row) * MILLIS_PER_DAY),
      price: bars.number(row, 'close'),
      volume_24h: bars.turnover(row),
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
    'One entry per day; `volume` in dollars. Without `end`, as many as `limit` says. Tiers without exports have the past 365 days.',
  parameters: queryParameters<{ start: number; end: number; limit: number; quote: 'usd'; interval: '24h' | '1d' }>(
    {
      start: timeParameter('The first time', true),
      end: timeParameter('The last time'),
      limit: countParameter('Entries at most, up to 366; without it 1, or with `end` 366.', MOST_CANDLES),
      quote: QUOTE,
      interval: wordParameter('Time between two entries: the store has days.', ['24h', '1d']),
    },
    'ignored',
  ),
  schema: { type: 'array', items: CANDLE },
  errors: ['not_in_tier'],
  handle: (context, request, market, { start, end, limit }) => {
    const span = daysOf(context, request, start, end);
    const wanted = { name: 'candles', span, step: 1, limit: limit ?? (end === null ? 1 : MOST_CANDLES) };
    return history(context, request, market, wanted, (bars, row) => ({
      time_open: secondsText(bars.day(row) * MILLIS_PER_DAY),
      time_close: secondsText((bars.day(row) + 1) * MILLIS_PER_DAY - 1000),
      open: bars.number(row, 'open'),
      high: bars.number(row, 'high'),
      low: bars.number(row, 'low'),
      close: bars.number(row, 'close'),
      volume: bars.turnover(row),
    }));
  },
});
