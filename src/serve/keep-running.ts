// Keeps a process running that is meant to run all the time: starts it again when it ends, and waits longer each time that it fails.

import { type BackOff, backOffMs } from '../common/back-off.ts';
import { type Clock, SYSTEM_CLOCK } from './schedule.ts';

/** Exchanges block clients that connect again and again. */
const BACK_OFF: BackOff = { firstMs: 1000, longestMs: 5 * 60_000 };
/** A run of this length was a good one: what ends it later is a new failure. */
const GOOD_RUN_MS = 60_000;
/** A run that ends without failing is not needed: another process does the work, and may end. */
const TAKE_OVER_MS = 10_000;

/** `run` resolves when the process has ended: false if it failed. Returns how to stop, which waits for a process that runs. */
export function keepRunning(
  run: () => Promise<boolean>,
  clock: Clock = SYSTEM_CLOCK,
  random: () => number = Math.random,
): () => Promise<void> {
  let failures = 0;
  let stopped = false;
  let callOff = () => {};
  let running = Promise.resolve();
  const start = () => {
    const began = clock.now();
    running = run().then(well => {
      if (stopped) return;
      if (well || clock.now() - began >= GOOD_RUN_MS) failures = 0;
      callOff = clock.after(well ? TAKE_OVER_MS : backOffMs(BACK_OFF, ++failures, random()), start);
    });
  };
  start();
  return () => {
    stopped = true;
    callOff();
    return running;
  };
}
