// When scheduled loads run. Every server of a store has the schedule; which of them runs a load is decided under the
// writer's lock (see `loadIfDue`), so each load runs once per interval however many servers there are.

import { parseInterval } from '../common/interval.ts';
import { ConfigError } from '../config.ts';

interface Load {
  /** The words after `tidemark ingest`. */
  readonly argv: readonly string[];
}

interface RepeatedLoad extends Load {
  /** As written, such as `1h`. */
  readonly interval: string;
  readonly everyMs: number;
}

/** A load that runs all the time (`live`). */
interface LastingLoad extends Load {
  readonly interval: null;
  readonly everyMs: null;
}

export type ScheduledLoad = RepeatedLoad | LastingLoad;

const LIVE = 'live';

/** `1h coinpaprika; 1d ccxt --exchange kraken --quote USD; live binance --quote USDT`. */
export function parseSchedule(text: string): ScheduledLoad[] {
  return text
    .split(';')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
    .map(entry => {
      const [interval = '', ...argv] = entry.split(/\s+/);
      const [exchange, ...flags] = argv;
      if (interval === LIVE && exchange !== undefined) {
        return { interval: null, everyMs: null, argv: [LIVE, '--exchange', exchange, ...flags] };
      }
      const everyMs = parseInterval(interval);
      if (everyMs === null || argv.length === 0) {
        throw new ConfigError(
          `--schedule: expected an interval and a source, such as '1h coinpaprika', or 'live binance', got '${entry}'`,
        );
      }
      return { interval, everyMs, argv };
    });
}

export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls back once; returns a function that cancels it. */
  after(millis: number, callback: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  // Not the time of day: if the clock is set back, the next round would wait for that time to come again.
  now: () => performance.now(),
  after: (millis, callback) => {
    const timer = setTimeout(callback, millis);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs `work` at once and then every `everyMs`, never twice at the same time; a run that takes longer than the interval delays
 * the next one. `work` must not fail (see `guarded`). Returns how to stop, which waits for a run under way.
 */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  clock: Clock = SYSTEM_CLOCK,
): () => Promise<void> {
  let stopped = false;
  let callOff = () => {};
  let running = Promise.resolve();
  const round = () => {
    const due = clock.now() + everyMs;
    running = work().then(() => {
      if (!stopped) callOff = clock.after(Math.max(0, due - clock.now()), round);
    });
  };
  round();
  return () => {
    stopped = true;
    callOff();
    return running;
  };
}
