// The minutes of each market, made of its ticks: the running one, and those that have ended and are not stored yet.

import { type Period, periodOfMillis } from '../../domain/interval.ts';

export interface TickMinute {
  readonly market: string;
  readonly minute: Period<'1m'>;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Minutes per market that wait while another process writes. Older ones come with the candles of the exchange. */
const MOST_WAITING = 60;

type Running = { -readonly [K in keyof TickMinute]: TickMinute[K] } & { isNew: boolean };

export class MinuteBook {
  readonly #running = new Map<string, Running>();
  #ended: TickMinute[] = [];

  /** Ticks come in order of time. One from a minute that this machine's clock, `now`, has not reached counts as one of now. */
  take(market: string, at: number, price: number, now: number): void {
    const minute = periodOfMillis('1m', Math.min(at, now));
    if (minute === null) return;
    const running = this.#running.get(market);
    if (running === undefined || running.minute < minute) {
      if (running?.isNew === true) this.#ended.push(bar(running));
      this.#running.set(market, { market, minute, open: price, high: price, low: price, close: price, isNew: true });
    } else {
      running.high = Math.max(running.high, price);
      running.low = Math.min(running.low, price);
      running.close = price;
      running.isNew = true;
    }
    const most = MOST_WAITING * this.#running.size;
    if (this.#ended.length > most) this.#ended = this.#ended.slice(-most);
  }

  /** What is new since the last call. */
  drain(): TickMinute[] {
    const minutes = this.#ended;
    this.#ended = [];
    for (const running of this.#running.values()) {
      if (running.isNew) minutes.push(bar(running));
      running.isNew = false;
    }
    return minutes;
  }

  /** What could not be stored is new again, unless the minute has gone on. */
  giveBack(minutes: readonly TickMinute[]): void {
    const ended = minutes.filter(({ market, minute }) => {
      const running = this.#running.get(market);
      if (running?.minute !== minute) return true;
      running.isNew = true;
      return false;
    });
    this.#ended = [...ended, ...this.#ended];
  }

  /** Markets that are no longer followed. */
  keepOnly(markets: ReadonlySet<string>): void {
    for (const market of this.#running.keys()) if (!markets.has(market)) this.#running.delete(market);
    this.#ended = this.#ended.filter(({ market }) => markets.has(market));
  }
}

function bar({ market, minute, open, high, low, close }: Running): TickMinute {
  return { market, minute, open, high, low, close };
}
