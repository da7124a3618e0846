// What a column is. All columns are in `catalogue.ts`.

import { KERNEL_FACTS, type KernelName } from './kernels.ts';

export interface ColumnFacts<Name extends string = string> {
  readonly name: Name;
  /** What the explorer calls it in headers and sentences. */
  readonly label?: string;
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly description: string;
}

export interface TextColumn<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: 'time' | 'text';
  readonly type: 'string';
  /** A time is written with milliseconds, as the listing's rows have it; otherwise without, as a profile has it. */
  readonly milliseconds?: true;
}

/** A column without further attributes. */
interface PlainColumn<Kind extends string, Type extends string, Name extends string = string>
  extends ColumnFacts<Name> {
  readonly kind: Kind;
  readonly type: Type;
}

export type PriceColumn<Name extends string = string> = PlainColumn<'price', 'number', Name>;
/** Units of an asset that were traded, or a figure that summarises a column of a listing. */
type FigureColumn = PlainColumn<'volume' | 'statistic', 'number'>;
interface WithoutPast {
  /** A fact of the asset, or computed from one: on past days it is null before its first record. */
  readonly current?: true;
}

/** Whole numbers such as a rank. */
type CountColumn = PlainColumn<'count', 'integer'> & WithoutPast;
export type FlagColumn<Name extends string = string> = PlainColumn<'flag', 'boolean', Name>;
/** An object, which CSV has as its JSON text. */
type JsonColumn = PlainColumn<'json', 'object'>;

/** What computes a column. */
export interface Computation {
  readonly kernel: KernelName;
  /** The kernel's parameter in days. */
  readonly length: number;
  /** One of the kernel's outputs. */
  readonly output: string;
}

/** What a client learns of a column that is computed over days. */
interface Indicator extends ColumnFacts, Computation {
  readonly formula: string;
  /** Daily closes needed for a full window, or for the first value of a recursion: no value depends on more, apart from its state. */
  readonly minHistory: number;
}

/** A column of every row. */
export interface IndicatorColumn extends Indicator {
  readonly kind: 'change' | 'sma' | 'var' | 'vol';
  readonly type: 'number';
  /** Over columns that differ in their length only. */
  readonly family: string;
  /** Length in days. */
  readonly window: number;
}

/** A column that a request computes by its `calc` parameter. */
export interface ComputedColumn<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: 'computed';
  readonly type: 'number';
  /** The expression, in its canonical form. */
  readonly formula: string;
}

/** Names of groups that a client may ask for instead of names of columns. */
export const COLUMN_GROUPS = {
  market: 'Prices, volume, turnover and size of the day',
  trend: 'Exponential moving averages and MACD',
  momentum: 'RSI, z-score, Bollinger bands and stochastic oscillator',
  risk: 'True range, drawdowns, Sharpe ratios, beta and correlation',
  range: 'Highest and lowest closes, and the distance from them',
  quality: 'How far the bars of the asset can be trusted: sources, gaps and findings',
  own: 'Columns that the settings file of the service defines',
} as const satisfies Readonly<Record<string, string>>;

export type ColumnGroup = keyof typeof COLUMN_GROUPS;

interface Grouped {
  readonly group: ColumnGroup;
}

/** A figure that a source gives, or a simple product of such figures; one of the bar has a kernel. */
export interface MarketColumn extends ColumnFacts, WithoutPast, Grouped, Partial<Computation> {
  readonly kind: 'market';
  readonly type: 'number' | 'integer';
  readonly formula?: string;
}

export interface OptionalIndicator extends Indicator, Grouped {
  readonly kind: KernelName;
  readonly type: 'number';
  /** Length in days; null: the whole history. */
  readonly window: number | null;
}

/** The start of a UTC day. */
export interface OptionalDay extends Indicator, Grouped {
  readonly kind: 'time';
  readonly type: 'string';
  readonly milliseconds: true;
  readonly window: null;
}

export type OptionalColumn = MarketColumn | OptionalIndicator | OptionalDay;

export type Column =
  | TextColumn
  | PriceColumn
  | FigureColumn
  | IndicatorColumn
  | CountColumn
  | FlagColumn
  | ComputedColumn
  | JsonColumn
  | OptionalColumn;

/** Whether it is about daily bars alone, as they are known now: its values of past days and of other intervals are unknown. */
export function hasNoPast(column: Column): boolean {
  return isOptional(column) && column.group === 'quality';
}

/** Whether a row has the column only if the request asks for it. */
export function isOptional(column: Column): column is OptionalColumn {
  return 'group' in column;
}

export type KernelColumn = (IndicatorColumn | OptionalColumn) & Computation;

export function hasKernel<C extends Column>(column: C): column is C & Computation {
  return 'kernel' in column;
}

/** Of a column that the settings file defines, the place of its definition; null for others. */
export function ownPlace(column: Column): number | null {
  return hasKernel(column) && column.kernel === 'own' ? column.length : null;
}

/** Whether its values come from bars, which a store publishes from the first request for such a column. The others are always there. */
export function needsBars(column: Column): boolean {
  return isOptional(column) && hasKernel(column) && column.kernel !== 'history';
}

/**
 * Whether the file of a whole dataset has it: whether a store has those made of bars depends on what clients have asked for, and what is
 * known about the bars changes without them.
 */
export function isInFiles(column: Column): boolean {
  return !needsBars(column) && !hasNoPast(column);
}

/** Whether it compares an asset with the benchmark. */
export function usesBenchmark(column: Column): boolean {
  return hasKernel(column) && KERNEL_FACTS[column.kernel].reads.includes('benchmark');
}
