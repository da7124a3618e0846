// The names that a listing's query string may use: its parameters and its columns.

import { columnHint, windowsHint } from '../common/column-hint.ts';
import { nearest } from '../common/nearest.ts';
import { COLUMN_GROUPS, type Column, isOptional } from '../domain/columns.ts';
import type { Dataset } from '../domain/datasets.ts';
import { ApiError, clipped, nearestHint, quoted } from '../errors.ts';
import { absentParameter, type ParameterName, parametersOf } from './parameters.ts';

export class Names {
  readonly dataset: Dataset;
  readonly #parameters: ReadonlyMap<string, ParameterName>;
  readonly #columns: ReadonlyMap<string, number>;
  /** What a listing shows if the request does not choose. */
  readonly defaultColumns: readonly number[];

  constructor(dataset: Dataset) {
    this.dataset = dataset;
    this.#parameters = new Map(parametersOf(dataset).map(name => [name, name]));
    this.#columns = new Map(dataset.columns.map(({ name }, index) => [name, index]));
    this.defaultColumns = [...dataset.columns.keys()].filter(index => !isOptional(dataset.columns[index]!));
  }

  parameter(name: string): ParameterName | undefined {
    return this.#parameters.get(name);
  }

  /** The index of a column whose name may be in brackets. */
  column(text: string): number | undefined {
    return this.#columns.get(withoutBrackets(text));
  }

  /** `param` is the parameter that held the name. */
  requireColumn(text: string, param: string): number {
    const column = this.column(text);
    if (column === undefined) throw this.#unknownColumn(withoutBrackets(text), param);
    return column;
  }

  /** Without brackets. */
  exactColumn(name: string): number | undefined {
    return this.#columns.get(name);
  }

  requireExactColumn(name: string, param: string): number {
    const column = this.exactColumn(name);
    if (column === undefined) throw this.#unknownColumn(name, param);
    return column;
  }

  /** The columns that `incl_cols` names, by themselves, by their group or all at once. */
  includedColumns(items: readonly string[]): number[] {
    return items.map(withoutBrackets).flatMap(item => {
      const named = this.dataset.columns.flatMap((column, index) =>
        column.name === item || (isOptional(column) && (column.group === item || item === 'all')) ? [index] : [],
      );
      if (named.length === 0) throw this.#unknownColumn(item, 'incl_cols', ['all', ...Object.keys(COLUMN_GROUPS)]);
      return named;
    });
  }

  requireNumeric(text: string, param: string): number {
    const column = this.requireColumn(text, param);
    this.checkNumeric(column, param);
    return column;
  }

  isNumeric(column: number): boolean {
    return isNumeric(this.dataset.columns[column]!);
  }

  isFlag(column: number): boolean {
    return this.dataset.columns[column]!.type === 'boolean';
  }

  checkNumeric(column: number, param: string): void {
    const { name, kind } = this.dataset.columns[column]!;
    if (isNumeric(this.dataset.columns[column]!)) return;
    const numeric = this.dataset.columns.filter(isNumeric).map(each => each.name);
    throw new ApiError('column_not_numeric', `${name} is a ${kind}; ranges and comparisons take numbers only.`, {
      param: clipped(param),
      hint: `Numeric columns: ${some(numeric)}.${this.#textHint(name, kind)}`,
    });
  }

  #textHint(name: string, kind: Column['kind']): string {
    if (name === 'symbol' && this.#parameters.has(name)) return ' For tickers, use symbol=BTC,ETH.';
    return kind === 'text' && this.#parameters.has('where') ? ` For texts, use where=${name} = '…'.` : '';
  }

  unknownParameter(name: string): ApiError {
    const known = [...this.#parameters.keys(), ...this.#columns.keys()];
    const near = nearest(withoutBrackets(name), known);
    return new ApiError('unknown_parameter', `Unknown parameter ${quoted(name)} in ${this.dataset.name}.`, {
      param: clipped(name),
      ...this.#parameterHint(name, near),
    });
  }

  #parameterHint(name: string, near: string | null) {
    const absent = absentParameter(name, this.#parameters.keys());
    if (absent !== null) return { hint: absent };
    const windows = windowsHint(withoutBrackets(name), [...this.#columns.keys()]);
    const all = `Parameters: ${[...this.#parameters.keys()].join(', ')}, and every column as a filter.`;
    return windows ?? nearestHint(near, all);
  }

  #unknownColumn(name: string, param: string, others: readonly string[] = []): ApiError {
    return new ApiError('unknown_column', `Unknown column ${quoted(name)} in ${this.dataset.name}.`, {
      param: clipped(param),
      ...columnHint(name, [...this.#columns.keys()], others),
    });
  }
}

/** One per dataset. */
export function namesOf(dataset: Dataset): Names {
  let names = made.get(dataset);
  if (names === undefined) {
    names = new Names(dataset);
    made.set(dataset, names);
  }
  return names;
}

const made = new WeakMap<Dataset, Names>();

function isNumeric(column: Column): boolean {
  return column.type === 'number' || column.type === 'integer';
}

function withoutBrackets(text: string): string {
  const name = text.trim();
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1).trim() : name;
}

function some(names: readonly string[]): string {
  return names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
}
