// How one number of the listing was computed: its inputs, the values on the way, and the exact result beside the served one.

import { finish, mapInSteps, type Steps } from '../common/steps.ts';
import type { BarColumns } from '../domain/bar.ts';
import { INDICATORS, OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import {
  type Column,
  hasKernel,
  type IndicatorColumn,
  isOptional,
  type KernelColumn,
  type OptionalColumn,
  ownPlace,
  type PriceColumn,
} from '../domain/columns.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { isoFromDay } from '../domain/day.ts';
import { type ListedInterval, type Period, periodsPerYear, timestampOfPeriod } from '../domain/interval.ts';
import { inPeriods } from '../domain/interval-words.ts';
import { KERNEL_FACTS } from '../domain/kernels.ts';
import { OWN_DEFINITIONS } from '../domain/own/definitions.ts';
import { readsOf, recursionsIn } from '../domain/own/facts.ts';
import type { OwnNode } from '../domain/own/language.ts';
import { type DailyBars, dailyBars } from '../indicators/calendar.ts';
import { Series } from '../indicators/kernel.ts';
import { KernelGroups } from '../indicators/kernel-groups.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { DEFINITIONS } from './definitions.ts';
import type { BarField, Days, Derived } from './derivation.ts';
import { type AssetFigures, FACT_DEFINITIONS, factBehind } from './fact-definitions.ts';
import { influences, type Reach } from './influence.ts';
import { absolute, decimalText, divide, fromDouble, fromInteger, type Real, subtract, toDouble } from './real.ts';

export const EXACT_DIGITS = 40;

export type ExplainedColumn = PriceColumn | IndicatorColumn | OptionalColumn;

/** The columns that are computed, or that a source gives. */
export const EXPLAINED_COLUMNS: readonly ExplainedColumn[] = TA_CUR.columns.filter(isExplained);

function isExplained(column: Column): column is ExplainedColumn {
  if (isOptional(column)) return column.group !== 'quality';
  return column.kind === 'price' || 'window' in column;
}

export function explainedColumn(name: string): ExplainedColumn | null {
  return EXPLAINED_COLUMNS.find(column => column.name === name) ?? null;
}

export const EXPLAINED_NAMES: readonly string[] = EXPLAINED_COLUMNS.map(({ name }) => name);

/** Numbers of a day besides its close. */
export const INPUT_NUMBERS = ['open', 'high', 'low', 'volume', 'benchmark'] as const;
type InputNumber = (typeof INPUT_NUMBERS)[number];

export interface ExplainedInput {
  /** `C0` is the close of the row's day, `C1` that of the day before. */
  readonly name: string;
  /** UTC day on which the period starts. */
  readonly day: string;
  /** Start of the period, if it is not a day. */
  readonly at?: string;
  readonly close: number;
  /** No source delivered a close for the day: it has the one before it. */
  readonly carried_forward: boolean;
  /** Other numbers of the day that the value is computed from; null is an unknown one. */
  readonly numbers: Readonly<Partial<Record<InputNumber, number | null>>>;
  /** By how much the value would change if the day had the numbers of a day beside it; null if it was not tried (influence.ts). */
  readonly influence: number | null;
}

export interface ExplainedFact {
  readonly known_since: string;
  readonly load: number;
}

export interface Explanation {
  readonly column: string;
  /** The day of C0. */
  readonly day: string;
  /** Start of the period of C0, and the interval, if it is not a day. */
  readonly at?: string;
  readonly interval?: ListedInterval;
  /** As the listing has it: a text if it is a day. */
  readonly value: number | string | null;
  readonly unit: string | null;
  readonly formula: string;
  /** Length in days; null for a price, and for the whole history. */
  readonly window: number | null;
  /** Daily closes from the first to that day. */
  readonly history: number;
  /** Of a fact of the asset, or of the one that the value is computed from: the UTC day on which it was recorded, and by which load. */
  readonly fact?: ExplainedFact;
  readonly inputs: readonly ExplainedInput[];
  /** What is computed on the way, to 40 significant digits. */
  readonly steps: readonly { readonly name: string; readonly value: string }[];
  /** To 40 significant digits. */
  readonly exact: string | null;
  /** Of the value against the exact result; null where there is none. */
  readonly relative_error: number | null;
}

export interface ExplainOptions {
  /** Of the asset in the period of the value; null: none is known. */
  readonly facts?: (period: number) => AssetFigures | null;
  /** Used for betas and correlations only. */
  readonly benchmark?: ReturnSeries | null;
  /** Of the bars; days without it. */
  readonly interval?: ListedInterval;
}

/** Described in one step. */
const STEP_INPUTS = 512;

const NO_FACTS: AssetFigures = { rank: null, supply: null };

/** The value on a day, computed from the bars up to it; null before the first close. `bars` are all, oldest first. */
export function explain(...wanted: Parameters<typeof explainInSteps>): Explanation | null {
  return finish(explainInSteps(...wanted));
}

/** The same; it stops now and then, so that others need not wait for all of it. */
export function* explainInSteps(
  column: ExplainedColumn,
  bars: BarColumns,
  until: Period,
  { facts, benchmark = null, interval = '1d' }: ExplainOptions = {},
): Steps<Explanation | null> {
  const later = bars.day.findIndex(day => day > until);
  const count = later < 0 ? bars.day.length : later;
  if (count === 0) return null;
  const known = upTo(bars, count);
  const series = dailyBars(known);
  const { firstDay, closes } = series;
  const last = closes.length - 1;
  const figures = facts?.(firstDay + last) ?? NO_FACTS;
  const fact = factBehind(column.name, figures);
  const since = fact === null ? undefined : figures.known?.[fact];
  const derived = derivationOf(column, daysOf(series, benchmark, interval), figures);
  const { inputs, steps, exact } = 'exact' in derived ? derived : yield* derived;
  yield;
  const value = servedValue(column, series, benchmark, figures, interval);
  const isDelivered = new Set(known.day);
  const dayOf = (daysBefore: number) => (firstDay + last - daysBefore) as Period; // a period of the series
  const timeOf = (period: Period) => timestampOfPeriod(interval, period);
  const isDaily = interval === '1d';
  const placeOf = (daysBefore: number) => {
    const at = timeOf(dayOf(daysBefore));
    return { day: at.slice(0, 10), ...(isDaily ? {} : { at }) };
  };
  const numbers = numbersOf(column);
  yield;
  const influence = yield* influences(series, {
    inputs,
    fields: ['closes', ...numbers.flatMap(name => (name === 'benchmark' ? [] : [`${name}s` as const]))],
    isDelivered: at => isDelivered.has(firstDay + at),
    valueOn: changed => servedValue(column, changed, benchmark, figures, interval),
    reach: reachOf(column),
  });
  return {
    column: column.name,
    ...placeOf(0),
    ...(isDaily ? {} : { interval }),
    value: value !== null && column.kind === 'time' ? timeOf(value as Period) : value, // its values are periods
    unit: column.unit === 'days' ? inPeriods(column.unit, interval) : column.unit,
    formula: inPeriods(
      'formula' in column && column.formula !== undefined && fact !== 'marketCap'
        ? column.formula
        : plainFormula(column),
      interval,
    ),
    window: 'window' in column ? column.window : null,
    history: closes.length,
    ...(since === undefined ? {} : { fact: { known_since: isoFromDay(since.day), load: since.load } }),
    inputs: yield* mapInSteps(
      inputs,
      (i, at) => ({
        name: `C${i}`,
        ...placeOf(i),
        close: closes[last - i]!,
        carried_forward: !isDelivered.has(dayOf(i)),
        numbers: Object.fromEntries(numbers.map(name => [name, numberOn(series, benchmark, name, last - i)])),
        influence: influence[at] ?? null,
      }),
      STEP_INPUTS,
    ),
    steps: steps.map(step => ({ name: step.name, value: decimalText(step.value, EXACT_DIGITS) })),
    exact: exact === null ? null : decimalText(exact, EXACT_DIGITS),
    relative_error: relativeError(value, exact),
  };
}

function plainFormula({ kind, name }: ExplainedColumn): string {
  if (kind === 'price') return 'C₀';
  return name === 'history' ? 'day of C₀ − day of the first close + 1' : 'as the source gives it';
}

function upTo(bars: BarColumns, count: number): BarColumns {
  const { day, open, high, low, close, volume } = bars;
  const cut = (values: Float64Array) => values.subarray(0, count);
  return {
    day: day.subarray(0, count),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
    volume: cut(volume),
  };
}

function derivationOf(column: ExplainedColumn, days: Days, facts: AssetFigures): Derived {
  if (column.kind === 'price') return { inputs: [0], steps: [], exact: days.close(0) };
  if (hasKernel(column)) return DEFINITIONS[column.kernel](days, column.length, column.output);
  const definition = FACT_DEFINITIONS[column.name];
  if (definition === undefined) throw new Error(`no definition of ${column.name}`);
  return definition(days, facts);
}

/** The numbers of a day that it is computed from besides the close. */
function numbersOf(column: ExplainedColumn): readonly InputNumber[] {
  if (!hasKernel(column)) return [];
  if (column.kernel === 'bar') return INPUT_NUMBERS.filter(number => number === column.output);
  const definition = definitionOf(column);
  return definition === null ? KERNEL_FACTS[column.kernel].reads : readsOf(definition);
}

/** Of a column that the settings file defines. */
function definitionOf(column: Column): OwnNode | null {
  const place = ownPlace(column);
  return place === null ? null : OWN_DEFINITIONS[place]!.node; // the catalogue is made of them
}

function reachOf(column: ExplainedColumn): Reach {
  if (!hasKernel(column)) return 'window';
  if (column.kernel === 'allTimeHigh') return 'highest';
  const definition = definitionOf(column);
  const isAverage = definition === null ? KERNEL_FACTS[column.kernel].state > 0 : recursionsIn(definition) > 0;
  return isAverage ? 'average' : 'window';
}

/** `at` is a day of the series, counted from its first. */
function numberOn(series: DailyBars, benchmark: ReturnSeries | null, name: InputNumber, at: number): number | null {
  if (name === 'benchmark') return benchmark?.closes[series.firstDay + at - benchmark.firstDay] ?? null;
  const value = series[`${name}s`][at]!;
  return Number.isNaN(value) ? null : value;
}

function daysOf(series: DailyBars, benchmark: ReturnSeries | null, interval: ListedInterval): Days {
  const last = series.closes.length - 1;
  const real = (name: InputNumber, daysBefore: number) => {
    const value = numberOn(series, benchmark, name, last - daysBefore);
    return value === null ? null : fromDouble(value);
  };
  return {
    count: series.closes.length,
    close: daysBefore => fromDouble(series.closes[last - daysBefore]!),
    number: (field: BarField, daysBefore) => real(field, daysBefore),
    benchmark: daysBefore => real('benchmark', daysBefore),
    perYear: perYearOf(interval),
  };
}

/** A week is not a whole part of a year. */
function perYearOf(interval: ListedInterval): Days['perYear'] {
  if (interval === '1w') return { value: divide(fromInteger(365), fromInteger(7)), text: '365/7' };
  const count = periodsPerYear(interval);
  return { value: fromInteger(count), text: String(count) };
}

/** By the kernels, as the listing has it. */
function servedValue(
  column: ExplainedColumn,
  series: DailyBars,
  benchmark: ReturnSeries | null,
  { rank, supply, marketCap = null }: AssetFigures,
  interval: ListedInterval,
): number | null {
  const price = series.closes.at(-1)!;
  if (column.kind === 'price') return price;
  if (hasKernel(column)) return served(computedValue(column, series, benchmark, interval));
  if (column.name === 'rank') return rank;
  if (column.name === 'supply') return supply;
  if (marketCap !== null) return marketCap;
  return supply === null ? null : served(price * supply);
}

const groups = new Map<Column, KernelGroups>();

/** With the columns that are computed together with it, because the bits of an average depend on them. */
function computedValue(
  column: KernelColumn,
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  interval: ListedInterval,
): number {
  let group = groups.get(column);
  if (group === undefined) {
    const all = isOptional(column) ? OPTIONAL_COMPUTED : INDICATORS;
    group = new KernelGroups(all.filter(({ kernel }) => kernel === column.kernel));
    groups.set(column, group);
  }
  const table = group.table(1);
  const series = new Series(group.stateSize, periodsPerYear(interval)).set(bars, benchmark);
  group.into(table).write(series, bars.closes.length - 1, 0);
  return table[group.columns.indexOf(column)]![0]!;
}

/** What JSON can write. */
function served(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

function relativeError(value: number | null, exact: Real | null): number | null {
  if (value === null || exact === null) return null;
  const difference = absolute(subtract(fromDouble(value), exact));
  if (exact === 0n) return difference === 0n ? 0 : null;
  return toDouble(divide(difference, absolute(exact)));
}
