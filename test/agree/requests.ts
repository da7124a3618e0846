// Random requests: what is meant. `spelling.ts` writes them, `scan.ts` answers them by plain code, `sql.ts` by SQL.

import type { Column } from '../../src/domain/columns.ts';
import { ASSETS, BARS, type Dataset, TA_CUR, TA_HIST } from '../../src/domain/datasets.ts';
import type { Chance } from '../contract/query/chance.ts';
import {
  anyCase,
  COMPARISONS,
  type Comparison,
  type ConditionTree,
  type NumberTree,
  randomCondition,
  randomNumber,
  type Vocabulary,
} from './expressions.ts';
import { type Base, baseOf, INTERVALS, type Interval } from './periods.ts';

/** Whose rows are asked for, before any filter. A new parameter of this kind is one more member here and in `viewQuery`. */
export interface View {
  readonly dataset: 'ta-cur' | 'assets' | 'ta-hist' | 'bars';
  readonly asOf: string | null;
  readonly inactive: boolean;
  /** Of `ta-hist` and `bars`. */
  readonly id: string | null;
  /** Null: as without it, days. Not of `assets`. */
  readonly interval: Interval | null;
  /** A name of a quote, or the dollar; null: as without it, dollars. Not of `assets`. */
  readonly quote: string | null;
}

export function intervalOf({ interval }: Pick<View, 'interval'>): Interval {
  return interval ?? '1d';
}

export type Answered =
  | { readonly kind: 'rows' }
  | { readonly kind: 'stats'; readonly columns: readonly string[]; readonly bins: number | null }
  | { readonly kind: 'facets' };

export interface Request {
  readonly view: View;
  readonly answered: Answered;
  readonly calcs: readonly { readonly name: string; readonly value: NumberTree }[];
  readonly where: ConditionTree | null;
  readonly ranges: readonly { readonly column: string; readonly low: number | null; readonly high: number | null }[];
  readonly comparisons: readonly { readonly left: string; readonly operator: Comparison; readonly right: string }[];
  readonly notNull: readonly string[];
  readonly notNullFlag: boolean;
  readonly flags: readonly { readonly column: string; readonly value: boolean }[];
  readonly symbols: readonly string[] | null;
  readonly tags: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly minHistory: number | null;
  readonly search: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  /** Null: as the dataset has it. */
  readonly sort: string | null;
  readonly order: 'asc' | 'desc' | null;
  readonly limit: number;
  readonly page: number;
  /** Decides which of several spellings is sent; 0 is the plainest of each. */
  readonly spelling: number;
}

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** What a generator knows of the stores. */
export interface Known {
  readonly ids: readonly string[];
  readonly days: readonly string[];
  /** Times of the days that have hours, and of those that have minutes. */
  readonly times: Readonly<Record<'1m' | '1h', readonly string[]>>;
  /** Views with an interval, a quote or both: few enough that all rows of each can be read and checked. */
  readonly views: readonly View[];
  readonly tags: readonly string[];
  readonly types: readonly string[];
  /** Whether values of earlier days are known. */
  readonly hasEarlier: boolean;
  /** All rows of a view, for values that occur. */
  rows(view: View): Promise<readonly Row[]>;
}

export const DATASET: Readonly<Record<View['dataset'], Dataset>> = {
  'ta-cur': TA_CUR,
  assets: ASSETS,
  'ta-hist': TA_HIST,
  bars: BARS,
};

const CALC_NAMES = ['own', 'ratio', 'x1', 'a_b'];

export function isNumeric({ type }: Column): boolean {
  return type === 'number' || type === 'integer';
}

/** Columns that a past day has no values of can be shown there, but not used. */
function isUsable(column: Column, { asOf, dataset }: View): boolean {
  return !(asOf !== null && dataset !== 'ta-hist' && 'current' in column && column.current === true);
}

export async function randomRequest(known: Known, chance: Chance): Promise<Request> {
  const view = randomView(known, chance);
  const rows = await known.rows(view);
  const dataset = DATASET[view.dataset];
  const { columns, extraParameters } = dataset;
  const takes = (name: (typeof extraParameters)[number]) => extraParameters.includes(name);
  const usable = columns.filter(column => isUsable(column, view));
  // A few columns per request, so that comparisons meet the same column again.
  const few = (from: readonly Column[], count: number) => chance.shuffled(from).slice(0, count);
  const numeric = few(usable.filter(isNumeric), 5).map(({ name }) => name);
  const hasPast = (name: string) => columns.some(column => column.name === name && !('current' in column));
  const named = (kind: Column['kind']) => usable.filter(column => column.kind === kind).map(({ name }) => name);
  const names: Vocabulary = {
    numbers: numeric,
    times: named('time'),
    texts: named('text'),
    flags: named('flag'),
    tags: takes('tag') ? [...known.tags, 'none'] : [],
    earlier: {
      numbers: known.hasEarlier && dataset.hasEarlier && chance.happens(0.3) ? numeric.filter(hasPast) : [],
      // A request may read 16 columns of earlier days: a few of each.
      days: [1, 7, 1 + chance.below(400)],
    },
    sample(column) {
      const found = rows.length === 0 ? null : (chance.pick(rows)[column] ?? null);
      return typeof found === 'boolean' ? Number(found) : found;
    },
  };
  const calcs: Request['calcs'][number][] = [];
  for (const name of CALC_NAMES.slice(0, chance.happens(0.5) ? chance.below(CALC_NAMES.length) : 0)) {
    const before = { ...names, numbers: [...numeric, ...calcs.map(calc => calc.name)] };
    calcs.push({ name, value: randomNumber(before, chance, chance.below(4)) });
  }
  const own = calcs.map(({ name }) => name);
  const numbers = [...numeric, ...own, ...own];
  const maybe = <T>(probability: number, make: () => T) => (chance.happens(probability) ? make() : null);
  const all = [...usable.map(({ name }) => name), ...own, ...own];
  const limit = chance.happens(0.3) ? 1000 : 1 + chance.below(chance.pick([3, 12, 40]));
  const answered = view.dataset === 'ta-cur' ? randomAnswered(numbers, chance) : ({ kind: 'rows' } as const);
  return {
    view,
    answered,
    calcs,
    where: maybe(0.55, () => randomCondition({ ...names, numbers }, chance, chance.below(4))),
    ranges:
      numbers.length > 0 && chance.happens(0.2)
        ? chance.some(numbers, 2).map(column => randomRange(column, names.sample(column), chance))
        : [],
    comparisons:
      numbers.length > 0 && chance.happens(0.15)
        ? chance
            .some(numbers, 2)
            .map(left => ({ left, operator: chance.pick(COMPARISONS), right: chance.pick(numbers) }))
        : [],
    notNull: chance.happens(0.12) ? chance.some(all, 2) : [],
    // On a past day there are no ranks, by which assets are sorted.
    notNullFlag: numeric.length > 0 && chance.happens(0.1),
    flags:
      names.flags.length > 0 && chance.happens(0.3)
        ? [{ column: chance.pick(names.flags), value: chance.happens(0.5) }]
        : [],
    symbols: DATASET[view.dataset].ofOneAsset
      ? null
      : maybe(0.07, () => ['none', ...Array.from({ length: 5 }, () => symbolFor(names, chance))]),
    tags: takes('tag')
      ? maybe(0.08, () => [anyCase(chance.pick(known.tags), chance), ...chance.some(known.tags, 1)])
      : null,
    types: takes('type') ? maybe(0.07, () => [anyCase(chance.pick(known.types), chance)]) : null,
    minHistory: takes('min_history') ? maybe(0.1, () => 1 + chance.below(420)) : null,
    search: takes('q')
      ? maybe(0.25, () => chance.pick(['coin', 'A', '-', '币', 'ss', ' b', 'zz', 'a0', '𝔅', 'É']))
      : null,
    ...randomDays(takes('from'), timesOf(known, view), chance),
    included: takes('incl_cols') && chance.happens(0.4) ? randomIncluded(columns, chance) : [],
    excluded: chance.happens(0.3) ? chance.some([...all, 'close'], 4) : [],
    sort: maybe(0.85, () => chance.pick(numbers.length > 0 && chance.happens(0.6) ? numbers : all)),
    order: maybe(0.8, () => chance.pick(['asc', 'desc'])),
    limit,
    page: chance.happens(0.6) ? 1 : 1 + chance.below(Math.ceil(rows.length / limit) + 2),
    spelling: 1 + chance.below(2 ** 31),
  };
}

function randomView(known: Known, chance: Chance): View {
  if (chance.happens(0.5)) return chance.pick(known.views);
  const plain = { asOf: null, inactive: false, id: null, interval: null, quote: null };
  const asOf = chance.happens(0.3) ? chance.pick(known.days) : null;
  const kind = chance.below(20);
  if (kind < 12) return { ...plain, dataset: 'ta-cur', asOf, inactive: chance.happens(0.15) };
  if (kind < 15) return { ...plain, dataset: 'assets', asOf };
  if (kind < 18) return { ...plain, dataset: 'ta-hist', id: chance.pick(known.ids) };
  return { ...plain, dataset: 'bars', id: chance.pick(known.ids), interval: chance.pick(['1d', '1w', '1mo']) };
}

/** What a generator of views knows. */
export interface Viewed extends Pick<Known, 'ids' | 'days' | 'times'> {
  /** The assets that have bars of each base. */
  readonly idsWith: Readonly<Record<Base, readonly string[]>>;
  /** The names of each quote that has bars of a base. */
  readonly quotesWith: Readonly<Record<Base, readonly (readonly string[])[]>>;
}

/** Days and times that are worth asking for. */
function timesOf({ days, times }: Pick<Known, 'days' | 'times'>, view: View): readonly string[] {
  const base = baseOf(intervalOf(view));
  if (base === '1d') return [...days, times['1h'][0]!];
  // The newest days, which have hours.
  return [...times[base], ...times[base].map(time => time.slice(0, 10)), days.at(-2)!];
}

/** With an interval, a quote or both. */
export function randomQuotedView(known: Viewed, chance: Chance): View {
  const dataset = chance.pick(['ta-cur', 'ta-cur', 'ta-cur', 'ta-hist', 'bars'] as const);
  const listed = INTERVALS.filter(interval => dataset === 'bars' || interval !== '1mo');
  const interval = chance.happens(0.3) ? null : chance.pick([...listed, '1h', '1d', '1w'] as const);
  const base = baseOf(interval ?? '1d');
  const named = () => chance.pick(chance.pick(known.quotesWith[base]));
  const quote = interval !== null && chance.happens(0.35) ? null : chance.happens(0.05) ? 'USD' : named();
  const view = { dataset, asOf: null, inactive: false, id: null, interval, quote };
  if (dataset !== 'ta-cur') return { ...view, id: chance.pick(chance.happens(0.9) ? known.idsWith[base] : known.ids) };
  const asOf = chance.happens(0.4) ? chance.pick(timesOf(known, view)) : null;
  return { ...view, asOf, inactive: chance.happens(0.2) };
}

function randomAnswered(numbers: readonly string[], chance: Chance): Answered {
  if (chance.happens(0.75)) return { kind: 'rows' };
  if (chance.happens(0.3)) return { kind: 'facets' };
  const bins = chance.happens(0.5) ? 1 + chance.below(30) : null;
  return {
    kind: 'stats',
    columns: chance.happens(0.2) ? [] : [chance.pick(numbers), ...chance.some(numbers, 2)],
    bins,
  };
}

/** A comma separates tickers, so one that has a comma, or a space at an end, cannot be asked for. */
function symbolFor(names: Vocabulary, chance: Chance): string {
  const symbol = String(names.sample('symbol') ?? 'none');
  return symbol.includes(',') || symbol !== symbol.trim() ? 'none' : anyCase(symbol, chance);
}

function randomRange(column: string, found: Cell, chance: Chance): Request['ranges'][number] {
  const end = () =>
    typeof found === 'number' && chance.happens(0.6) ? found : chance.pick([0, 1, -1, 10, 1e300, 0.5, 100]);
  const [a, b] = [end(), end()];
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  return chance.pick([
    { column, low, high },
    { column, low, high: null },
    { column, low: null, high },
    { column, low, high: low },
  ]);
}

function randomDays(taken: boolean, days: readonly string[], chance: Chance): Pick<Request, 'from' | 'to'> {
  if (!taken || chance.happens(0.5)) return { from: null, to: null };
  const [from = null, to = null] = [chance.pick(days), chance.pick(days)].sort();
  return { from: chance.happens(0.7) ? from : null, to: chance.happens(0.7) ? to : null };
}

function randomIncluded(columns: readonly Column[], chance: Chance): string[] {
  const groups = [...new Set(columns.flatMap(column => ('group' in column ? [column.group] : [])))];
  if (chance.happens(0.2)) return ['all'];
  return [chance.pick([...columns.map(({ name }) => name), ...groups]), ...chance.some(groups, 1)];
}
