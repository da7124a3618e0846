// What `npm run stress` does to every Node process of a test, for `node --import`: another date, timers that fire late, and file
// operations that take long. TIDEMARK_STRESS holds the conditions as JSON.

import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timerPromises from 'node:timers/promises';
import { shiftDate } from './shift-date.ts';

export interface StressConditions {
  /** Added to the time of day, in milliseconds. */
  readonly shift: number;
  /** A timer fires later by up to so many milliseconds. */
  readonly lateTimers: number;
  /** A file operation takes up to so many milliseconds more. */
  readonly slowFiles: number;
}

/** One operation in so many is slow: tests make thousands of them. */
const SLOW_SHARE = 1 / 8;
/** Those that programs wait for; `existsSync` and the like answer from memory. */
const FILE_OPERATIONS = [
  'open',
  'readFile',
  'writeFile',
  'rename',
  'unlink',
  'mkdir',
  'stat',
  'copyFile',
  'rm',
  'readdir',
];
const HANDLE_OPERATIONS = ['read', 'write', 'sync', 'datasync', 'close', 'truncate', 'readFile', 'writeFile'];

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const text = process.env['TIDEMARK_STRESS'];
// As `scripts/stress.ts` writes it.
if (text !== undefined) await apply(JSON.parse(text) as StressConditions);

async function apply({ shift, lateTimers, slowFiles }: StressConditions): Promise<void> {
  if (shift !== 0) shiftDate(() => shift);
  const { setTimeout: realTimeout } = globalThis;
  if (slowFiles > 0) await slowDown(slowFiles, realTimeout);
  if (lateTimers > 0) delay(lateTimers);
  syncBuiltinESMExports();
}

function delay(most: number): void {
  // The three ways to a timer, each with the delay at another place.
  for (const owner of [globalThis, timers] as unknown as Calls[]) {
    const real = owner['setTimeout']!;
    const late = (callback: unknown, millis: unknown, ...args: unknown[]) =>
      real(callback, Number(millis ?? 0) + Math.random() * most, ...args);
    owner['setTimeout'] = Object.assign(late, real);
  }
  const promised = timerPromises as unknown as Calls;
  const real = promised['setTimeout']!;
  promised['setTimeout'] = (millis: unknown, ...args: unknown[]) =>
    real(Number(millis ?? 0) + Math.random() * most, ...args);
}

async function slowDown(most: number, setTimeout: typeof globalThis.setTimeout): Promise<void> {
  const pause = () => (Math.random() < SLOW_SHARE ? Math.random() * most : 0);
  const waited = (real: Call): Call =>
    async function (this: unknown, ...args) {
      const millis = pause();
      if (millis > 0) await new Promise(resolve => setTimeout(resolve, millis));
      return real.apply(this, args);
    };
  const blocked = (real: Call): Call =>
    function (this: unknown, ...args) {
      const millis = pause();
      if (millis > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
      return real.apply(this, args);
    };
  const handle = await promises.open('/dev/null');
  const handles = Object.getPrototypeOf(handle) as Calls; // of every FileHandle
  await handle.close();
  replace(promises as unknown as Calls, FILE_OPERATIONS, waited);
  replace(handles, HANDLE_OPERATIONS, waited);
  replace(
    fs as unknown as Calls,
    FILE_OPERATIONS.map(name => `${name}Sync`),
    blocked,
  );
}

function replace(owner: Calls, names: readonly string[], wrap: (real: Call) => Call): void {
  for (const name of names) {
    const real = owner[name];
    if (real !== undefined) owner[name] = Object.assign(wrap(real), real);
  }
}
