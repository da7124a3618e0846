// CoinPaprika's answers, checked record by record. Missing numbers come as null or as an empty text.

import { type Asset, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../../domain/asset.ts';
import type { Bar } from '../../domain/bar.ts';
import { type Day, dayOfMillis } from '../../domain/day.ts';
import { isSupply } from '../asset-registry.ts';
import { got, instant, isObject, type Unchecked } from '../field-reader.ts';
import type { Reject } from '../source.ts';

/** From `/coins`: every coin that CoinPaprika ever had. */
export interface Coin extends Pick<Asset, 'id' | 'symbol' | 'name' | 'rank' | 'type'> {
  readonly isActive: boolean;
}

/** From `/tickers`: the price now. */
export interface Ticker extends Pick<Asset, 'id' | 'symbol' | 'name' | 'rank' | 'supply'> {
  /** The day in which the price was last updated: it is that day's close so far. */
  readonly day: Day;
  readonly price: number;
  readonly line: number;
}

/** From `/coins/{id}/ohlcv/…`. Its volume is in dollars, not in units of the asset, and is therefore not taken. */
export interface Candle extends Omit<Bar, 'volume'> {
  readonly line: number;
}

export interface Checked<T> {
  readonly records: readonly T[];
  readonly rejects: readonly Reject[];
}

/** Every record of a list that is one, of those that are wanted by their id; `where` names the list. */
export function checkList<T>(
  list: readonly unknown[],
  where: string,
  read: (value: unknown, line: number) => T | Omit<Reject, 'where'>,
  isWanted: (id: string) => boolean = () => true,
): Checked<T> {
  const records: T[] = [];
  const rejects: Reject[] = [];
  for (const [index, value] of list.entries()) {
    const { id }: Unchecked<{ id: string }> = isObject(value) ? value : {};
    if (typeof id === 'string' && !isWanted(id)) continue;
    const result = read(value, index + 1);
    if (isRefusal(result)) rejects.push({ where: `${where}:${index + 1}`, ...result });
    else records.push(result);
  }
  return { records, rejects };
}

function isRefusal<T>(result: T | Omit<Reject, 'where'>): result is Omit<Reject, 'where'> {
  return isObject(result) && 'reason' in result;
}

type RawCoin = Unchecked<{ id: string; symbol: string; name: string; rank: number; type: string; is_active: boolean }>;

export function readCoin(value: unknown): Coin | Omit<Reject, 'where'> {
  if (!isObject(value)) return noRecord(value);
  const { id, symbol, name, rank, type, is_active }: RawCoin = value;
  if (!isName(id) || !isTicker(symbol) || !isName(name)) return noIdentity();
  if (typeof is_active !== 'boolean') {
    return { reason: 'bad_answer', detail: `${id}: expected is_active to be true or false, got ${got(is_active)}` };
  }
  return { id, symbol, name, rank: rankOf(rank), type: isText(type) ? type : null, isActive: is_active };
}

type RawTicker = Unchecked<{
  id: string;
  symbol: string;
  name: string;
  rank: number;
  circulating_supply: number;
  last_updated: string;
  quotes: object;
}>;

export function readTicker(value: unknown, line: number): Ticker | Omit<Reject, 'where'> {
  if (!isObject(value)) return noRecord(value);
  const { id, symbol, name, rank, circulating_supply, last_updated, quotes }: RawTicker = value;
  if (!isName(id) || !isTicker(symbol) || !isName(name)) return noIdentity();
  const day = dayOf(last_updated);
  if (day === null) {
    return { reason: 'bad_day', detail: `${id}: expected a time in last_updated, got ${got(last_updated)}` };
  }
  const dollars = dollarQuote(quotes);
  const price = numberOf(dollars.price);
  if (Number.isNaN(price)) {
    return {
      reason: 'bad_number',
      detail: `${id}: expected a number in quotes.USD.price, got ${got(dollars.price)}`,
    };
  }
  // The market capitalisation is that of the circulating units, which not every answer has.
  const supply = [numberOf(circulating_supply), numberOf(dollars.market_cap) / price].find(isSupply) ?? null;
  return { id, symbol, name, rank: rankOf(rank), day, price, supply, line };
}

type RawCandle = Unchecked<{ time_open: string; open: number; high: number; low: number; close: number }>;

export function readCandle(value: unknown, line: number): Candle | Omit<Reject, 'where'> {
  if (!isObject(value)) return noRecord(value);
  const { time_open, open, high, low, close }: RawCandle = value;
  const day = dayOf(time_open);
  if (day === null) return { reason: 'bad_day', detail: `expected a time in time_open, got ${got(time_open)}` };
  const price = numberOf(close);
  if (Number.isNaN(price)) return { reason: 'bad_number', detail: `expected a number in close, got ${got(close)}` };
  return { day, open: numberOf(open), high: numberOf(high), low: numberOf(low), close: price, line };
}

function dollarQuote(quotes: unknown): Unchecked<{ price: number; market_cap: number }> {
  const { USD }: Unchecked<{ USD: object }> = isObject(quotes) ? quotes : {};
  return isObject(USD) ? USD : {};
}

function noRecord(value: unknown): Omit<Reject, 'where'> {
  return { reason: 'bad_answer', detail: `expected a record, got ${got(value)}` };
}

function noIdentity(): Omit<Reject, 'where'> {
  return { reason: 'bad_answer', detail: 'expected a record with id, symbol and name, none of them over-long' };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isName(value: unknown): value is string {
  return isText(value) && value.length <= MAX_NAME_LENGTH;
}

function isTicker(value: unknown): value is string {
  return isText(value) && value.length <= MAX_SYMBOL_LENGTH;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Ranks count from 1; 0 stands for none. */
function rankOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

function dayOf(value: unknown): Day | null {
  return typeof value === 'string' ? dayOfMillis(instant(value)) : null;
}
