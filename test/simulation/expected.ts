// What the store of a simulation must hold, kept beside it: the days and minutes that were loaded, and what is made of the minutes.

import type { BaseInterval } from '../../src/domain/interval.ts';
import type { StoredBars } from '../../src/store/store.ts';

/** How much older than the newest period of all assets that of a listed one may be. */
export const ACTIVE_DAYS = 7;
export const ACTIVE_HOURS = 48;
const PERIODS = 5;

export interface PublishedRow {
  readonly price: number;
  readonly sma5: number;
}

export interface PublishedDays extends PublishedRow {
  /** Of each day from the first to the last. */
  readonly closes: readonly number[];
}

/** Of one version, by asset number. */
interface Published {
  readonly days: ReadonlyMap<number, PublishedDays>;
  readonly hours: ReadonlyMap<number, PublishedRow>;
}

type Closes = ReadonlyMap<number, number>;

export class Expected {
  /** By asset number, as they were loaded. */
  readonly #days = new Map<number, Map<number, number>>();
  readonly #minutes = new Map<number, Map<number, number>>();
  readonly published = new Map<number, Published>();
  readonly keys = new Map<string, 'valid' | 'revoked' | 'unsure'>();

  onDone(name: string, args: readonly unknown[], result: unknown, interval: BaseInterval): void {
    if (name === 'putBars') this.#putBars(args[0] as StoredBars, interval === '1d' ? this.#days : this.#minutes); // what it takes
    if (name === 'publish') this.published.set(Number(result), this.#listings());
  }

  #listings(): Published {
    const assets = new Set([...this.#days.keys(), ...this.#minutes.keys()]);
    const listed = (interval: BaseInterval, active: number) =>
      activeOf(assets, asset => this.closes(asset, interval), active);
    const days = new Map<number, PublishedDays>();
    for (const [asset, own] of listed('1d', ACTIVE_DAYS)) days.set(asset, { ...rowOf(own), closes: everyClose(own) });
    const hours = new Map<number, PublishedRow>();
    for (const [asset, own] of listed('1h', ACTIVE_HOURS)) hours.set(asset, rowOf(own));
    return { days, hours };
  }

  /** By period. Hours and days are made of minutes, but a day that was loaded stays as it was loaded. */
  closes(asset: number, interval: BaseInterval): Closes {
    const minutes = this.#minutes.get(asset) ?? new Map<number, number>();
    if (interval === '1m') return minutes;
    const ratio = interval === '1h' ? 60 : 1440;
    const made = new Map<number, number>();
    for (const [minute, close] of [...minutes].sort(([a], [b]) => a - b)) made.set(Math.floor(minute / ratio), close);
    return interval === '1h' ? made : new Map([...made, ...(this.#days.get(asset) ?? [])]);
  }

  #putBars({ count, assetNumber, day, close }: StoredBars, kept: Map<number, Map<number, number>>): void {
    for (let i = 0; i < count; i++) {
      const own = kept.get(assetNumber[i]!) ?? new Map<number, number>();
      kept.set(assetNumber[i]!, own.set(day[i]!, close[i]!));
    }
  }
}

function activeOf(assets: Iterable<number>, closesOf: (asset: number) => Closes, active: number): [number, Closes][] {
  const known = Array.from(assets, (asset): [number, Closes] => [asset, closesOf(asset)]).filter(
    ([, own]) => own.size > 0,
  );
  const newest = Math.max(...known.map(([, own]) => lastOf(own)));
  return known.filter(([, own]) => lastOf(own) >= newest - active);
}

function lastOf(closes: Closes): number {
  return Math.max(...closes.keys());
}

function rowOf(closes: Closes): PublishedRow {
  const [first, last] = [Math.min(...closes.keys()), lastOf(closes)];
  const window: number[] = [];
  for (let period = Math.max(first, last - PERIODS + 1); period <= last; period++) {
    const known = [...closes.keys()].filter(each => each <= period);
    window.push(closes.get(Math.max(...known))!);
  }
  return { price: window.at(-1)!, sma5: window.reduce((sum, close) => sum + close, 0) / window.length };
}

function everyClose(closes: Closes): number[] {
  const [first, last] = [Math.min(...closes.keys()), lastOf(closes)];
  const every: number[] = [];
  for (let period = first; period <= last; period++) every.push(closes.get(period) ?? every.at(-1)!);
  return every;
}
