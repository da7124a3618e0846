// Definitions of columns at random, each with its exact value and, where SQL has the functions, with its SQL. Numbers are integers that count
// 10⁻¹⁵⁰; nothing is shared with the code under test but the meaning of the words.

import type { Bars } from './bars.ts';

const SCALE = 10n ** 150n;

/** Null is a missing value. */
export type Exact = bigint | null;

export interface Generated {
  readonly text: string;
  /** Of each day, oldest first. */
  readonly values: readonly Exact[];
  /** Over the columns of a table of bars in the order of `day`; null if SQL has no such function. */
  readonly sql: string | null;
}

export function fromNumber(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const significand = (bits & 0xf_ffff_ffff_ffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const scaled = power >= 0 ? (significand << BigInt(power)) * SCALE : (significand * SCALE) >> BigInt(-power);
  return value < 0 ? -scaled : scaled;
}

/** |value − exact| / |exact|. */
export function relativeError(value: number, exact: bigint): number {
  const difference = fromNumber(value) - exact;
  if (exact === 0n) return difference === 0n ? 0 : Number.POSITIVE_INFINITY;
  const ratio = (difference * 10n ** 30n) / exact;
  return Math.abs(Number(ratio)) / 1e30;
}

const times = (a: bigint, b: bigint) => (a * b) / SCALE;
const over = (a: bigint, b: bigint) => (a * SCALE) / b;
const whole = (n: number) => BigInt(n) * SCALE;

function root(value: bigint): bigint {
  const square = value * SCALE;
  if (square === 0n) return 0n;
  let guess = 1n << BigInt(Math.ceil(square.toString(2).length / 2) + 1);
  for (;;) {
    const next = (guess + square / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}

type Series = 'open' | 'high' | 'low' | 'close' | 'volume' | 'turnover';

export function seriesOf(bars: Bars, name: Series): Generated {
  const exact = (value: number | null | undefined) =>
    value === null || value === undefined ? null : fromNumber(value);
  const values =
    name === 'turnover'
      ? bars.close.map((close, i) => {
          const volume = exact(bars.volume[i]);
          return volume === null ? null : times(volume, fromNumber(close));
        })
      : bars[name].map(exact);
  return { text: name, values, sql: name === 'turnover' ? '(volume * close)' : name };
}

const SQL: Readonly<Record<string, string>> = {
  sma: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  var: 'var_pop',
  stdev: 'stddev_pop',
};

export function windowOf(name: string, x: Generated, n: number): Generated {
  const back = name === 'lag' || name === 'change' ? n : n - 1;
  const values = x.values.map((_, day): Exact => {
    if (day < back) return null;
    const all = x.values.slice(day - back, day + 1);
    // These read the ends only.
    const window = name === 'lag' ? all.slice(0, 1) : name === 'change' ? [all[0]!, all.at(-1)!] : all;
    const known = window.filter(value => value !== null);
    return known.length < window.length ? null : overWindow(name, known);
  });
  const sql = x.sql === null || !/^\w+$/.test(x.sql) ? null : windowSql(name, x.sql, n);
  return { text: `${name}(${x.text}, ${n})`, values, sql };
}

function windowSql(name: string, x: string, n: number): string | null {
  const guarded = (value: string, back: number) =>
    `CASE WHEN count(*) OVER (ORDER BY day) > ${back} AND count(${x}) OVER (ORDER BY day ROWS ${back} PRECEDING) = ${back + 1} THEN ${value} END`;
  if (name === 'lag') return `lag(${x}, ${n}) OVER (ORDER BY day)`;
  if (name === 'change')
    return `(${x} - lag(${x}, ${n}) OVER (ORDER BY day)) / lag(${x}, ${n}) OVER (ORDER BY day) * 100`;
  const known = SQL[name];
  return known === undefined ? null : guarded(`${known}(${x}) OVER (ORDER BY day ROWS ${n - 1} PRECEDING)`, n - 1);
}

function overWindow(name: string, values: readonly bigint[]): Exact {
  const count = BigInt(values.length);
  const [first, last] = [values[0]!, values.at(-1)!];
  const total = values.reduce((sum, value) => sum + value, 0n);
  const mean = total / count;
  const variance = () => values.reduce((sum, value) => sum + times(value - mean, value - mean), 0n) / count;
  switch (name) {
    case 'lag':
      return first;
    case 'change':
      return first === 0n ? null : over((last - first) * 100n, first);
    case 'sum':
      return total;
    case 'sma':
      return mean;
    case 'wma':
      return values.reduce((sum, value, i) => sum + value * BigInt(i + 1), 0n) / ((count * (count + 1n)) / 2n);
    case 'min':
      return values.reduce((least, value) => (value < least ? value : least));
    case 'max':
      return values.reduce((most, value) => (value > most ? value : most));
    case 'var':
      return variance();
    case 'stdev':
      return root(variance());
    case 'zscore':
      return values.every(value => value === first) ? null : over(last - mean, root(variance()));
    default:
      throw new Error(`no function ${name}`);
  }
}

export function recursionOf(name: 'ema' | 'rsi', x: Generated, n: number): Generated {
  const values: Exact[] = [];
  let run: bigint[] = [];
  let [up, down] = [0n, 0n];
  const wilder = (average: bigint, value: bigint, count: number) =>
    count <= n ? average + value / BigInt(n) : average + (value - average) / BigInt(n);
  for (const value of x.values) {
    if (value === null) {
      [run, up, down] = [[], 0n, 0n];
      values.push(null);
      continue;
    }
    const before = run.at(-1);
    run.push(value);
    if (name === 'ema') {
      if (run.length === n) up = run.reduce((sum, each) => sum + each, 0n) / BigInt(n);
      else if (run.length > n) up += (2n * (value - up)) / BigInt(n + 1);
      values.push(run.length < n ? null : up);
      continue;
    }
    if (before !== undefined) {
      up = wilder(up, value > before ? value - before : 0n, run.length - 1);
      down = wilder(down, value < before ? before - value : 0n, run.length - 1);
    }
    values.push(run.length <= n ? null : up + down === 0n ? whole(50) : over(up * 100n, up + down));
  }
  return { text: `${name}(${x.text}, ${n})`, values, sql: null };
}

export function atrOf({ high, low, close }: Bars, n: number): Generated {
  const values: Exact[] = [];
  let [count, average] = [-1, 0n];
  for (const [day, top] of high.entries()) {
    const bottom = low[day];
    if (top === null || bottom === null || bottom === undefined) {
      [count, average] = [-1, 0n];
    } else if (++count > 0) {
      const [h, l, before] = [fromNumber(top), fromNumber(bottom), fromNumber(close[day - 1]!)];
      const size = (value: bigint) => (value < 0n ? -value : value);
      const range = [h - l, size(h - before), size(l - before)].reduce((most, each) => (each > most ? each : most));
      average += count <= n ? range / BigInt(n) : (range - average) / BigInt(n);
    }
    values.push(count < n ? null : average);
  }
  return { text: `atr(${n})`, values, sql: null };
}

export function binaryOf(operator: '+' | '-' | '*' | '/', a: Generated, b: Generated): Generated {
  const values = a.values.map((x, i): Exact => {
    const y = b.values[i] ?? null;
    if (x === null || y === null) return null;
    if (operator === '+') return x + y;
    if (operator === '-') return x - y;
    if (operator === '*') return times(x, y);
    return y === 0n ? null : over(x, y);
  });
  const sql = a.sql === null || b.sql === null ? null : `((${a.sql}) ${operator} (${b.sql}))`;
  return { text: `(${a.text}) ${operator} (${b.text})`, values, sql };
}
