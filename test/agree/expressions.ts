// Random expressions of `where` and `calc` as trees: what is meant. How a tree is written, computed and translated is elsewhere, so
// that a new operation is one more kind here and one more case in each.

import type { Chance } from '../contract/query/chance.ts';

export type NumberTree =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'negate'; readonly of: NumberTree }
  | { readonly kind: 'call'; readonly name: 'abs' | 'sqrt' | 'ln' | 'min' | 'max'; readonly of: readonly NumberTree[] }
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: NumberTree;
      readonly right: NumberTree;
    }
  /** Every column so many days earlier. */
  | { readonly kind: 'lag'; readonly of: NumberTree; readonly days: number };

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type ConditionTree =
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: NumberTree;
      readonly right: NumberTree;
    }
  | {
      readonly kind: 'between';
      readonly not: boolean;
      readonly of: NumberTree;
      readonly low: NumberTree;
      readonly high: NumberTree;
    }
  | { readonly kind: 'in'; readonly not: boolean; readonly of: NumberTree; readonly items: readonly NumberTree[] }
  | { readonly kind: 'text'; readonly operator: '=' | '!='; readonly column: string; readonly value: string }
  | { readonly kind: 'text in'; readonly not: boolean; readonly column: string; readonly values: readonly string[] }
  | { readonly kind: 'time'; readonly operator: Comparison; readonly column: string; readonly day: string }
  | { readonly kind: 'is null'; readonly not: boolean; readonly of: NumberTree }
  | { readonly kind: 'column is null'; readonly not: boolean; readonly column: string }
  | { readonly kind: 'flag'; readonly column: string }
  | { readonly kind: 'tag'; readonly value: string }
  | {
      readonly kind: 'crosses';
      readonly way: 'above' | 'below';
      readonly left: NumberTree;
      readonly right: NumberTree;
    }
  | { readonly kind: 'not'; readonly of: ConditionTree }
  | { readonly kind: 'and' | 'or'; readonly left: ConditionTree; readonly right: ConditionTree };

/** What an expression may name, and values that occur in the data, so that equality and the ends of ranges are hit. */
export interface Vocabulary {
  readonly numbers: readonly string[];
  readonly times: readonly string[];
  readonly texts: readonly string[];
  readonly flags: readonly string[];
  /** Empty where the dataset has none. */
  readonly tags: readonly string[];
  /** Columns whose values of earlier days can be asked for, and how many days earlier. */
  readonly earlier: { readonly numbers: readonly string[]; readonly days: readonly number[] };
  /** A value of the column in some row, or null. */
  sample(column: string): string | number | null;
}

const LITERALS = ['0', '1', '2', '0.5', '10', '100', '1e3', '1.5e-3', '1E+200', '3.25', '.5', '7.', '1e308', '5e-324'];
const WORDS = ['coin', 'TOKEN', 'btc', "it's", '', 'ss', 'ﬁat'];
const DAYS = ['2026-01-01', '2026-03-09', '2026-03-10', '1999-12-31', '2025-12-31T00:00:00Z'];

export function randomNumber(names: Vocabulary, chance: Chance, depth: number): NumberTree {
  if (depth <= 0 || chance.happens(0.25)) return randomLeaf(names, chance);
  const operand = () => randomNumber(names, chance, depth - 1 - chance.below(2));
  if (names.earlier.numbers.length > 0 && chance.happens(0.1)) {
    return { kind: 'lag', of: randomEarlier(names, chance, depth - 1), days: chance.pick(names.earlier.days) };
  }
  switch (chance.below(10)) {
    case 0:
      return { kind: 'negate', of: operand() };
    case 1:
      return { kind: 'call', name: chance.pick(['abs', 'sqrt', 'ln']), of: [operand()] };
    case 2:
      return {
        kind: 'call',
        name: chance.pick(['min', 'max']),
        of: Array.from({ length: 2 + chance.below(2) }, operand),
      };
    default:
      return {
        kind: 'arithmetic',
        operator: chance.pick(['+', '-', '*', '/']),
        left: operand(),
        right: operand(),
      };
  }
}

/** An expression of which an earlier value can be asked for. */
function randomEarlier(names: Vocabulary, chance: Chance, depth: number): NumberTree {
  const only = { ...names, numbers: names.earlier.numbers, earlier: { ...names.earlier, numbers: [] } };
  return randomNumber(only, chance, depth);
}

function randomLeaf(names: Vocabulary, chance: Chance): NumberTree {
  if (names.numbers.length > 0 && chance.happens(0.65)) return { kind: 'column', name: chance.pick(names.numbers) };
  return names.numbers.length === 0 || chance.happens(0.5)
    ? { kind: 'literal', text: chance.pick(LITERALS) }
    : sampled(names, chance.pick(names.numbers));
}

/** A value of the column as an expression. */
function sampled(names: Vocabulary, column: string): NumberTree {
  const value = Number(names.sample(column) ?? 0);
  const positive: NumberTree = { kind: 'literal', text: String(Math.abs(value)) };
  return value < 0 ? { kind: 'negate', of: positive } : positive;
}

export function randomCondition(names: Vocabulary, chance: Chance, depth: number): ConditionTree {
  if (depth > 0 && chance.happens(0.55)) {
    const part = () => randomCondition(names, chance, depth - 1);
    if (chance.happens(0.25)) return { kind: 'not', of: part() };
    return { kind: chance.pick(['and', 'or']), left: part(), right: part() };
  }
  const number = () => randomNumber(names, chance, chance.below(3));
  const not = chance.happens(0.3);
  const choices: (() => ConditionTree)[] = [
    () => ({ kind: 'is null', not, of: number() }),
    () => ({ kind: 'between', not, of: number(), low: number(), high: number() }),
    () => ({ kind: 'in', not, of: number(), items: Array.from({ length: 1 + chance.below(3) }, number) }),
    () => ({ kind: 'compare', operator: chance.pick(COMPARISONS), left: number(), right: number() }),
    () => ({ kind: 'compare', operator: chance.pick(COMPARISONS), left: number(), right: number() }),
    () => ({ kind: 'column is null', not, column: chance.pick([...names.texts, ...names.times, ...names.numbers]) }),
  ];
  if (names.numbers.length > 0) {
    const simple = () => simpleComparison(names, chance);
    choices.push(simple, simple);
  }
  if (names.texts.length > 0) {
    choices.push(
      () => randomText(names, chance),
      () => ({
        kind: 'text in',
        not,
        ...((column: string) => ({
          column,
          values: Array.from({ length: 1 + chance.below(3) }, () => textFor(names, column, chance)),
        }))(chance.pick(names.texts)),
      }),
    );
  }
  if (names.times.length > 0) choices.push(() => randomTime(names, chance));
  if (names.flags.length > 0) choices.push(() => ({ kind: 'flag', column: chance.pick(names.flags) }));
  if (names.tags.length > 0) choices.push(() => ({ kind: 'tag', value: anyCase(chance.pick(names.tags), chance) }));
  if (names.earlier.numbers.length > 0) {
    const side = () => randomEarlier(names, chance, chance.below(2));
    choices.push(() => ({ kind: 'crosses', way: chance.pick(['above', 'below']), left: side(), right: side() }));
  }
  return chance.pick(choices)();
}

/** A column with a number, or with another column: what the indexes answer. */
function simpleComparison(names: Vocabulary, chance: Chance): ConditionTree {
  const column = chance.pick(names.numbers);
  const left: NumberTree = { kind: 'column', name: column };
  const right = chance.pick([
    () => sampled(names, column),
    () => sampled(names, column),
    (): NumberTree => ({ kind: 'literal', text: chance.pick(LITERALS) }),
    (): NumberTree => ({ kind: 'column', name: chance.pick(names.numbers) }),
  ])();
  const operator = chance.pick(COMPARISONS);
  return chance.happens(0.5)
    ? { kind: 'compare', operator, left, right }
    : { kind: 'compare', operator, left: right, right: left };
}

function randomText(names: Vocabulary, chance: Chance): ConditionTree {
  const column = chance.pick(names.texts);
  return { kind: 'text', operator: chance.pick(['=', '!=']), column, value: textFor(names, column, chance) };
}

function textFor(names: Vocabulary, column: string, chance: Chance): string {
  const found = names.sample(column);
  return anyCase(found === null || chance.happens(0.3) ? chance.pick(WORDS) : String(found), chance);
}

function randomTime(names: Vocabulary, chance: Chance): ConditionTree {
  const column = chance.pick(names.times);
  const found = names.sample(column);
  const day = found === null || chance.happens(0.3) ? chance.pick(DAYS) : timeNear(String(found), chance);
  return { kind: 'time', operator: chance.pick(COMPARISONS), column, day };
}

/** Its day, the time itself, or one within its minute. */
function timeNear(time: string, chance: Chance): string {
  return chance.pick([time.slice(0, 10), time, `${time.slice(0, 16)}:59Z`]);
}

export function anyCase(text: string, chance: Chance): string {
  return chance.pick([text, text, text.toLowerCase(), text.toUpperCase()]);
}
