// The columns that the settings file defines, in real numbers: written from the meaning of each function, not from the code that serves them.

import type { Steps } from '../common/steps.ts';
import { OWN_DEFINITIONS } from '../domain/own/definitions.ts';
import { reachOf, recursionsIn } from '../domain/own/facts.ts';
import type { OwnNode } from '../domain/own/language.ts';
import { definitionText } from '../domain/own/parse.ts';
import { type Days, type Derivation, HUNDRED, lastDays, type Step, spread, step } from './derivation.ts';
import {
  absolute,
  add,
  divide,
  fromDouble,
  fromInteger,
  logarithm,
  mean,
  multiply,
  type Real,
  squareRoot,
  subtract,
  sum,
  ZERO,
} from './real.ts';

type Value = Real | null;

/** Values in one step. */
const STEP_VALUES = 16;
const TWO = fromInteger(2);

export function* ownDefinition(days: Days, place: number): Steps<Derivation> {
  const node = OWN_DEFINITIONS[place]?.node;
  if (node === undefined) throw new Error(`unknown definition ${place}`);
  const own = new OwnDays(days);
  const count = recursionsIn(node) > 0 ? days.count : Math.min(days.count, reachOf(node) + 1);
  const values = yield* own.values(node, days.count - 1, true);
  return { inputs: lastDays(count), steps: own.steps, exact: values.at(-1) ?? null };
}

class OwnDays {
  readonly steps: Step[] = [];
  readonly #days: Days;

  constructor(days: Days) {
    this.#days = days;
  }

  /** Of the days `from …` to the last, counted from the first close. `isShown`: the last value is a step of the explanation. */
  *values(node: OwnNode, from: number, isShown: boolean): Steps<Value[]> {
    const found = yield* this.#values(node, from, isShown);
    const last = found.at(-1);
    if (isShown && last !== undefined && last !== null && (node.kind === 'window' || node.kind === 'recursion')) {
      this.steps.push(step(definitionText(node), last));
    }
    return found;
  }

  *#values(node: OwnNode, from: number, isShown: boolean): Steps<Value[]> {
    const { count } = this.#days;
    switch (node.kind) {
      case 'number':
        return Array.from({ length: count - from }, () => fromDouble(node.value));
      case 'series':
        return Array.from({ length: count - from }, (_, i) => this.#series(node.name, count - 1 - from - i));
      case 'plain':
        return yield* mapped(yield* this.values(node.operand, from, isShown), value => plain(node.name, value));
      case 'binary': {
        const right = yield* this.values(node.right, from, isShown);
        const left = yield* this.values(node.left, from, isShown);
        return yield* mapped(left, (value, i) => joined(node.operator, value, right[i]!));
      }
      case 'window': {
        const back = node.name === 'lag' || node.name === 'change' ? node.length : node.length - 1;
        const oldest = Math.max(0, from - back);
        const values = yield* this.values(node.operand, oldest, false);
        const days = Array.from({ length: count - from }, (_, i) => from + i - oldest);
        return yield* mapped(days, last => {
          if (last < back) return null;
          const all = values.slice(last - back, last + 1);
          // These read the ends only.
          const window = node.name === 'lag' ? [all[0]!] : node.name === 'change' ? [all[0]!, all[back]!] : all;
          const known = window.filter(value => value !== null);
          return known.length < window.length ? null : overWindow(node.name, known);
        });
      }
      case 'recursion': {
        const moves = node.name === 'atr' ? this.#ranges() : yield* this.values(node.operand, 0, false);
        return (yield* recursion(node.name, moves, node.length)).slice(from);
      }
    }
  }

  #series(name: Extract<OwnNode, { kind: 'series' }>['name'], daysBefore: number): Value {
    const { close, number } = this.#days;
    if (name === 'close') return close(daysBefore);
    if (name !== 'turnover') return number(name, daysBefore);
    const volume = number('volume', daysBefore);
    return volume && multiply(volume, close(daysBefore));
  }

  /** The true range of each day; of the first one with high and low, 0, which does not count. */
  #ranges(): Value[] {
    const { count, close, number } = this.#days;
    return Array.from({ length: count }, (_, day) => {
      const before = count - 1 - day;
      const [high, low] = [number('high', before), number('low', before)];
      if (high === null || low === null) return null;
      if (day === 0) return ZERO;
      const gaps = [high, low].map(end => absolute(subtract(end, close(before + 1))));
      return [subtract(high, low), ...gaps].reduce((most, each) => (each > most ? each : most));
    });
  }
}

function* mapped<T>(items: readonly T[], work: (item: T, i: number) => Value): Steps<Value[]> {
  const found: Value[] = [];
  for (const [i, item] of items.entries()) {
    found.push(work(item, i));
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
  }
  return found;
}

function plain(name: Extract<OwnNode, { kind: 'plain' }>['name'], value: Value): Value {
  if (value === null) return null;
  if (name === 'negate') return subtract(ZERO, value);
  if (name === 'abs') return absolute(value);
  if (name === 'sqrt') return value < 0n ? null : squareRoot(value);
  return value > 0n ? logarithm(value) : null;
}

function joined(operator: Extract<OwnNode, { kind: 'binary' }>['operator'], a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  if (operator === '+') return add(a, b);
  if (operator === '-') return subtract(a, b);
  if (operator === '*') return multiply(a, b);
  if (operator === '/') return b === 0n ? null : divide(a, b);
  return a < b === (operator === 'min') ? a : b;
}

/** `values` are those of the window, oldest first; of `lag` the oldest, of `change` both ends. */
function overWindow(name: Extract<OwnNode, { kind: 'window' }>['name'], values: readonly Real[]): Value {
  const [first, last] = [values[0]!, values.at(-1)!]; // a window has values
  const count = fromInteger(values.length);
  switch (name) {
    case 'lag':
      return first;
    case 'change':
      return first === 0n ? null : multiply(divide(subtract(last, first), first), HUNDRED);
    case 'sum':
      return sum(values);
    case 'sma':
      return mean(values);
    case 'wma': {
      const weighted = sum(values.map((value, i) => multiply(value, fromInteger(i + 1))));
      return divide(weighted, fromInteger((values.length * (values.length + 1)) / 2));
    }
    case 'min':
      return values.reduce((least, value) => (value < least ? value : least));
    case 'max':
      return values.reduce((most, value) => (value > most ? value : most));
    case 'var':
      return divide(spread(values).squares, count);
    case 'stdev':
      return squareRoot(divide(spread(values).squares, count));
    case 'zscore': {
      const { average, squares } = spread(values);
      return values.every(value => value === first)
        ? null
        : divide(subtract(last, average), squareRoot(divide(squares, count)));
    }
  }
}

/** A missing value makes it start again after it. */
function* recursion(
  name: Extract<OwnNode, { kind: 'recursion' }>['name'],
  values: readonly Value[],
  length: number,
): Steps<Value[]> {
  const found: Value[] = [];
  let run: Real[] = [];
  let [average, losses]: [Real, Real] = [ZERO, ZERO];
  const n = fromInteger(length);
  const wilder = (before: Real, value: Real, count: number) =>
    count <= length ? add(before, divide(value, n)) : add(before, divide(subtract(value, before), n));
  for (const [i, value] of values.entries()) {
    if (value === null) {
      run = [];
      [average, losses] = [ZERO, ZERO];
      found.push(null);
      continue;
    }
    const before = run.at(-1);
    run.push(value);
    const count = run.length;
    if (name === 'ema') {
      if (count <= length) average = add(average, value);
      if (count === length) average = divide(average, n);
      if (count > length)
        average = add(average, divide(multiply(TWO, subtract(value, average)), fromInteger(length + 1)));
      found.push(count < length ? null : average);
    } else {
      if (before !== undefined) {
        const move = name === 'atr' ? value : subtract(value, before);
        average = wilder(average, move > 0n ? move : ZERO, count - 1);
        losses = wilder(losses, name === 'rsi' && move < 0n ? subtract(ZERO, move) : ZERO, count - 1);
      }
      const total = add(average, losses);
      const rsi = total === 0n ? fromInteger(50) : divide(multiply(HUNDRED, average), total);
      found.push(count <= length ? null : name === 'atr' ? average : rsi);
    }
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
  }
  return found;
}
