// Measurements on a virtual machine whose host takes its cores away at times: a machine that is stopped for a moment answers late,
// whatever its programs do. So what was disturbed is measured again.

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The time of all cores since the machine started, in ticks, and the part of it that the host gave to others. */
export interface CpuTicks {
  readonly all: number;
  readonly stolen: number;
}

/** Zeros where the system has no `/proc/stat`. */
export function cpuTicks(): CpuTicks {
  const [line = ''] = procStat().split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal: see proc(5).
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function procStat(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}

export function stolenShare(before: CpuTicks, after: CpuTicks): number {
  return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
}

export interface Undisturbed<T> {
  readonly found: T;
  /** Of the time of all cores, given to others by the host. */
  readonly stolen: number;
}

/** Repeats `measure` until the host has taken less than `little` meanwhile, for `timeoutMs` at most. Returns the least disturbed result. */
export async function leastDisturbed<T>(
  measure: () => T | Promise<T>,
  { little, timeoutMs }: { readonly little: number; readonly timeoutMs: number },
): Promise<Undisturbed<T>> {
  const began = performance.now();
  let least: Undisturbed<T> | null = null;
  for (;;) {
    const before = cpuTicks();
    const found = await measure();
    const stolen = stolenShare(before, cpuTicks());
    if (least === null || stolen < least.stolen) least = { found, stolen };
    if (least.stolen < little || performance.now() - began > timeoutMs) return least;
    await wait(1000);
  }
}

/** The system counts in ticks of 10 ms. */
const SHORT_MS = 500;

interface Second {
  readonly from: number;
  readonly to: number;
  /** The share of the cores that the host gave to others. */
  readonly stolen: number;
}

/** Times of a long measurement, of which only those count that begin and end in seconds in which the host took little. */
export class QuietSeconds {
  readonly #little: number;
  readonly #read: () => CpuTicks;
  readonly #seconds: Second[] = [];
  readonly #times: [began: number, ended: number][] = [];
  #from: number = performance.now();
  #ticks: CpuTicks;
  readonly #timer: NodeJS.Timeout;

  constructor(little: number, read: () => CpuTicks = cpuTicks) {
    this.#little = little;
    this.#read = read;
    this.#ticks = read();
    this.#timer = setInterval(() => this.#endSecond(), 1000);
  }

  /** So far. */
  get count(): number {
    return this.#quiet().length;
  }

  add(began: number, ended: number): void {
    this.#times.push([began, ended]);
  }

  /** The times that count, in milliseconds, ascending, and how much the host took meanwhile. Without a quiet second all of them count. */
  end(): { readonly millis: number[]; readonly stolen: number } {
    clearInterval(this.#timer);
    this.#endSecond();
    const quiet = this.#quiet();
    const seconds = quiet.length > 0 ? quiet : this.#seconds;
    const isIn = (at: number) => seconds.some(({ from, to }) => from <= at && at <= to);
    const millis = this.#times
      .filter(([began, ended]) => isIn(began) && isIn(ended))
      .map(([began, ended]) => ended - began);
    return { millis: millis.sort((a, b) => a - b), stolen: Math.max(...seconds.map(({ stolen }) => stolen)) };
  }

  /** Without the rest of a second at the end, if it is too short to tell. */
  #quiet(): Second[] {
    return this.#seconds.filter(({ from, to, stolen }) => stolen < this.#little && to - from > SHORT_MS);
  }

  #endSecond(): void {
    const [to, ticks] = [performance.now(), this.#read()];
    this.#seconds.push({ from: this.#from, to, stolen: stolenShare(this.#ticks, ticks) });
    [this.#from, this.#ticks] = [to, ticks];
  }
}
