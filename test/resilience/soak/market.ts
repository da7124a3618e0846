// An invented market that lives by loads, some to a day, and knows what a server must show after each: new closes for all, as they
// are when the load comes, and with some loads a close that is restated, an asset that is new, that pauses or comes back, and a
// profile that changes.
//
// It lives long without growing much: only one load of some begins a day, and assets that are new end as well. A server that has
// more to show takes more memory, rightly.

import { COLUMNS } from '../../../src/domain/catalogue.ts';
import { pick, type Random, uniform } from '../../support/market.ts';
import { agrees, indicator } from './indicators.ts';

/** After so many days without a close an asset is no longer listed. */
const ACTIVE_DAYS = 7;
const PAUSE_DAYS = 12;
/** How long an asset lives that was not there from the start. */
const SHORT_LIFE_DAYS = 10;
export const LOADS_A_DAY = 3;
const DAY_MS = 86_400_000;

/** Daily, oldest first; a day without a close has the one before. */
interface Series {
  readonly symbol: string;
  readonly firstDay: number;
  readonly closes: readonly number[];
}

export type Row = Readonly<Record<string, unknown>>;

/** What is to be loaded, and what is to be seen then. */
export interface Load {
  readonly csv: string;
  /** A record for `ingest profiles`; null when no profile changes. */
  readonly profile: string | null;
  readonly state: MarketState;
}

export const PROFILE_ID = 's0-soak';

export class SoakMarket {
  readonly #random: Random;
  readonly #assets: number;
  readonly #lastDay: number;
  #state: MarketState;

  /** `lastDay` is the day of the newest closes before the first day that is lived, after so many days of history. */
  constructor(seed: number, assets: number, historyDays: number, lastDay: number) {
    this.#random = uniform(seed);
    this.#assets = assets;
    this.#lastDay = lastDay;
    const firstDay = lastDay - historyDays + 1;
    const series = Array.from({ length: assets }, (_, i) => {
      const closes = [price(10 ** (6 * this.#random() - 3))];
      while (closes.length < historyDays) closes.push(this.#next(closes.at(-1)!));
      return { symbol: `S${i}`, firstDay, closes };
    });
    this.#state = new MarketState(0, lastDay, series, 'before the first day');
  }

  get state(): MarketState {
    return this.#state;
  }

  /** Everything until now, as a file to load. */
  history(): string {
    const lines = this.#state.series.flatMap(({ symbol, firstDay, closes }) =>
      closes.map((close, i) => line(symbol, firstDay + i, close)),
    );
    return file(lines);
  }

  profile(): string {
    const { note } = this.#state;
    return JSON.stringify({ id: PROFILE_ID, symbol: 'S0', name: 'Soak', rank: 1, description: note });
  }

  nextLoad(): Load {
    const { number, series, note } = this.#state;
    const next = number + 1;
    const dayNumber = Math.ceil(next / LOADS_A_DAY);
    const day = this.#lastDay + dayNumber;
    const lines: string[] = [];
    const lived = series.map((each, i) => {
      const paused = i === 1 && Math.floor(dayNumber / PAUSE_DAYS) % 2 === 1;
      const ended = i >= this.#assets && day - each.firstDay >= SHORT_LIFE_DAYS;
      if (paused || ended) return each;
      const close = this.#next(each.closes.at(-1)!);
      lines.push(line(each.symbol, day, close));
      const before = each.closes.slice(0, day - each.firstDay);
      const gap = new Array<number>(day - each.firstDay - before.length).fill(each.closes.at(-1)!);
      return { ...each, closes: [...before, ...gap, close] };
    });
    if (next % 3 === 0) this.#restate(lived, lines);
    if (next % 12 === 4) {
      const close = price(1000 * this.#random() + 1);
      lived.push({ symbol: `N${next}`, firstDay: day, closes: [close] });
      lines.push(line(`N${next}`, day, close));
    }
    const changes = next % 5 === 0;
    this.#state = new MarketState(next, day, lived, changes ? `as of load ${next}` : note);
    return { csv: file(lines), profile: changes ? this.profile() : null, state: this.#state };
  }

  #restate(series: Series[], lines: string[]): void {
    const at = 2 + Math.floor(this.#random() * (this.#assets - 2));
    const { symbol, firstDay, closes } = series[at]!;
    const which = closes.length - 2 - Math.floor(30 * this.#random());
    const close = this.#next(closes[which]!);
    lines.push(line(symbol, firstDay + which, close));
    series[at] = { symbol, firstDay, closes: closes.with(which, close) };
  }

  #next(close: number): number {
    return price(close * Math.exp((this.#random() - 0.5) * 0.1));
  }
}

/** What the store holds after a load, and hence what may be seen. */
export class MarketState {
  readonly #columns = new Map<string, ReadonlyMap<string, string | number | null>>();
  readonly number: number;
  readonly day: number;
  readonly series: readonly Series[];
  /** The description in the profile that changes. */
  readonly note: string;
  readonly #bySymbol: ReadonlyMap<string, Series>;
  readonly #listed: readonly Series[];

  constructor(number: number, day: number, series: readonly Series[], note: string) {
    this.number = number;
    this.day = day;
    this.series = series;
    this.note = note;
    this.#bySymbol = new Map(series.map(each => [each.symbol, each]));
    this.#listed = series.filter(each => lastDay(each) >= day - ACTIVE_DAYS);
  }

  get rows(): number {
    return this.#listed.length;
  }

  someSymbol(random: Random): string {
    return pick(random, this.#listed).symbol;
  }

  /** The tickers of one page of the listing. */
  page(sort: string, order: string, limit: number, page: number): string[] {
    const values = this.#column(sort);
    const sign = order === 'asc' ? 1 : -1;
    const ordered = [...values].sort(([a, x], [b, y]) => {
      if (x === y) return a < b ? -1 : 1;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y ? -sign : sign;
    });
    return ordered.slice((page - 1) * limit, page * limit).map(([symbol]) => symbol);
  }

  /** What is wrong with a row of an asset as of some days before its last close; null when nothing is. */
  fault(row: Row, daysBefore = 0): string | null {
    const series = this.#bySymbol.get(String(row['symbol']));
    if (series === undefined) return `no asset ${row['symbol']}`;
    const closes = series.closes.slice(0, series.closes.length - daysBefore);
    for (const { name } of COLUMNS) {
      if (name === 'symbol') continue;
      const expected = cell(name, series, closes);
      const right = typeof expected === 'string' ? row[name] === expected : agrees(row[name], expected, closes.at(-1)!);
      if (!right) return `${series.symbol}.${name} is ${row[name]} and must be ${expected}`;
    }
    return null;
  }

  historyOf(symbol: string): { readonly days: number } {
    return { days: this.#bySymbol.get(symbol)?.closes.length ?? 0 };
  }

  #column(name: string): ReadonlyMap<string, string | number | null> {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = new Map(this.#listed.map(each => [each.symbol, cell(name, each, each.closes)]));
    this.#columns.set(name, column);
    return column;
  }
}

function cell(name: string, series: Series, closes: readonly number[]): string | number | null {
  if (name === 'datetimeUTC') return iso(series.firstDay + closes.length - 1);
  if (name === 'symbol') return series.symbol;
  return name === 'price' ? closes.at(-1)! : indicator(name, closes);
}

function lastDay({ firstDay, closes }: Series): number {
  return firstDay + closes.length - 1;
}

function iso(day: number): string {
  return new Date(day * DAY_MS).toISOString();
}

function price(value: number): number {
  return Number(value.toPrecision(8));
}

function line(symbol: string, day: number, close: number): string {
  return `${symbol},${iso(day).slice(0, 10)},${close}`;
}

function file(lines: readonly string[]): string {
  return ['symbol,day,close', ...lines, ''].join('\n');
}
