// A source that needs no network and no files: a simulated universe of several hundred assets up to today. Equal days
// give equal bytes, and a later day only adds to an earlier one. Hours and minutes are parts of the days, and make them again.

import { type BarColumns, barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, isoFromDay } from '../../domain/day.ts';
import { type BaseInterval, coarserPeriod, periodOfMillis } from '../../domain/interval.ts';
import { FIAT } from '../../domain/quote.ts';
import { type Since, type Source, SourceError, type SourceItem } from '../source.ts';
import { type WholeBar, writeHours, writeMinutes } from './intraday.ts';
import { type Market, simulateMarket, writeBars } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { crown, DEFAULT_ASSETS, type DemoAsset, EPOCH, HISTORY_DAYS, hasEnded, universe } from './universe.ts';

/** Ticker of the largest asset. */
export const DEMO_BENCHMARK = 'ALDM';
const ASSETS_PER_BATCH = 16;
/** The running day is one of them. */
const DAYS_OF_HOURS = 90;
const DAYS_OF_MINUTES = 2;
const [HOURS_PER_DAY, MINUTES_PER_DAY] = [24, 1440];

export interface DemoOptions {
  /** The last simulated day. */
  readonly today?: Day;
  /** The current time in milliseconds since 1970: the hours and minutes of today reach up to it. */
  readonly now?: number;
  /** About how many are active; the ones chosen by hand are always among them. */
  readonly assets?: number;
  /** Hours and minutes, too. */
  readonly withHours?: boolean;
}

export function demoSource(options: DemoOptions = {}): Source {
  const { now = Date.now(), assets: size = DEFAULT_ASSETS, withHours = false } = options;
  const today = options.today ?? dayOfMillis(now);
  if (today === null || today < EPOCH) {
    const message = `the demo universe begins on ${isoFromDay(EPOCH)}, and today is before that`;
    throw new SourceError(message, 'set the clock of this machine right');
  }
  const assets = universe(today, size);
  const priced = [...assets, crown(assets)];
  const market = simulateMarket(today);
  return {
    name: 'demo',
    benchmark: DEMO_BENCHMARK,
    async *profiles(signal) {
      for (const sourced of profilesOf(assets, market, today)) {
        signal.throwIfAborted();
        yield { kind: 'profile', where: `demo: ${sourced.profile.id}`, sourced };
      }
      const { id, symbol, name } = crown(assets);
      yield { kind: 'asset', asset: { id, symbol, name, rank: null, type: FIAT, supply: null } };
    },
    async *bars(since, signal) {
      const pull = { assets: priced, market, today, now, since, signal, steps: withHours ? 2 : 1 };
      yield* days(pull);
      if (withHours) yield* hoursAndMinutes(pull);
      // After the prices: new prices are a sign of life, and these assets have ended.
      for (const each of assets) if (each.delisted && hasEnded(each, today)) yield { kind: 'delisted', asset: each };
    },
  };
}

interface Pull {
  readonly assets: readonly DemoAsset[];
  readonly market: Market;
  readonly today: Day;
  readonly now: number;
  readonly since: Since;
  readonly signal: AbortSignal;
  /** How often the assets are gone through. */
  readonly steps: number;
}

type Items = AsyncGenerator<SourceItem, void, undefined>;

async function* days({ assets, market, today, since, signal, steps }: Pull): Items {
  const oldest = Math.max(EPOCH, today - HISTORY_DAYS + 1);
  const batch = new Batch('1d', ASSETS_PER_BATCH * HISTORY_DAYS);
  for (let done = 0; done < assets.length; done += ASSETS_PER_BATCH) {
    signal.throwIfAborted();
    const some = assets.slice(done, done + ASSETS_PER_BATCH);
    for (const [i, each] of some.entries()) {
      const stored = (await since(each, '1d'))?.last ?? oldest;
      // The running day is left as it is: its price may have moved since it was stored. The next day closes it.
      const from = stored === today ? today + 1 : Math.max(stored, oldest);
      batch.add(i, (columns, at) => writeBars(each, market, from as Day, today, columns, at)); // a day plus 1 is a day
    }
    yield batch.take(some);
    yield { kind: 'progress', done: (done + some.length) / steps, total: assets.length, unit: 'assets' };
  }
}

/** Minutes of the last days, of which the store makes the hours, and hours of the days before. */
async function* hoursAndMinutes(pull: Pull): Items {
  const { assets, market, today, since, signal, steps } = pull;
  const hours = new Batch('1h', ASSETS_PER_BATCH * DAYS_OF_HOURS * HOURS_PER_DAY);
  const minutes = new Batch('1m', ASSETS_PER_BATCH * DAYS_OF_MINUTES * MINUTES_PER_DAY);
  const firstMinutes = today - DAYS_OF_MINUTES + 1;
  const window = barColumns(DAYS_OF_HOURS);
  for (let done = 0; done < assets.length; done += ASSETS_PER_BATCH) {
    signal.throwIfAborted();
    const some = assets.slice(done, done + ASSETS_PER_BATCH);
    for (const [i, each] of some.entries()) {
      const fromHours = await firstDay(since, each, '1h', today, today - DAYS_OF_HOURS + 1);
      const fromMinutes = await firstDay(since, each, '1m', today, firstMinutes);
      const from = Math.max(each.listed, Math.min(fromHours, fromMinutes));
      const count = writeBars(each, market, from as Day, today, window, 0); // between days
      for (let at = 0; at < count; at++) {
        const day = window.day[at]!;
        if (day >= fromMinutes) minutes.add(i, (columns, to) => writeDay(each, window, at, pull, columns, to));
        else if (day >= fromHours && day < firstMinutes) {
          hours.add(i, (columns, to) => writeHours(each.seed, day, barAt(window, at), columns, to));
        }
      }
    }
    yield hours.take(some);
    yield minutes.take(some);
    const share = (assets.length + done + some.length) / steps;
    yield { kind: 'progress', done: share, total: assets.length, unit: 'assets' };
  }
}

/** The day of the last stored period is written again, because it was not over; today's is left as it is, as among days. */
async function firstDay(
  since: Since,
  asset: DemoAsset,
  interval: '1m' | '1h',
  today: Day,
  oldest: number,
): Promise<number> {
  const stored = await since(asset, interval);
  if (stored === null) return oldest;
  const last = coarserPeriod(interval, '1d')(stored.last);
  return last === today ? today + 1 : Math.max(last, oldest);
}

const hoursOfDay = barColumns(HOURS_PER_DAY);

/** The minutes of one day, of today up to now. */
function writeDay(
  { seed }: DemoAsset,
  days: BarColumns,
  at: number,
  { today, now }: Pull,
  out: BarColumns,
  to: number,
): number {
  const day = days.day[at]!;
  const minute = (periodOfMillis('1m', now) ?? 0) - day * MINUTES_PER_DAY;
  const isRunning = day === today && minute >= 0 && minute < MINUTES_PER_DAY;
  const count = isRunning ? Math.floor(minute / 60) + 1 : HOURS_PER_DAY;
  writeHours(seed, day, barAt(days, at), hoursOfDay, 0, count);
  let end = to;
  for (let hour = 0; hour < count; hour++) {
    const minutes = isRunning && hour === count - 1 ? (minute % 60) + 1 : 60;
    end = writeMinutes(seed, hoursOfDay.day[hour]!, barAt(hoursOfDay, hour), out, end, minutes);
  }
  return end;
}

function barAt({ open, high, low, close, volume }: BarColumns, at: number): WholeBar {
  return { open: open[at]!, high: high[at]!, low: low[at]!, close: close[at]!, volume: volume[at]! };
}

/** Bars of some assets, in memory that is used again for the next ones. */
class Batch {
  readonly #interval: BaseInterval;
  readonly #columns: BarColumns;
  readonly #asset: Uint32Array<ArrayBuffer>;
  readonly #line: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor(interval: BaseInterval, capacity: number) {
    this.#interval = interval;
    this.#columns = barColumns(capacity);
    this.#asset = new Uint32Array(capacity);
    this.#line = Uint32Array.from(this.#asset, (_, i) => i + 1);
  }

  /** `write` returns the index after the bars that it has written from `at` on. */
  add(asset: number, write: (columns: BarColumns, at: number) => number): void {
    const end = write(this.#columns, this.#count);
    this.#asset.fill(asset, this.#count, end);
    this.#count = end;
  }

  take(assets: readonly DemoAsset[]): SourceItem {
    const count = this.#count;
    this.#count = 0;
    const places = { asset: this.#asset, origin: 'demo', line: this.#line };
    return { kind: 'bars', batch: { interval: this.#interval, ...this.#columns, ...places, count, assets } };
  }
}
