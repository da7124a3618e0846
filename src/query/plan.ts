// What a listing request asks for, checked: every name is a column of the dataset, every number is one.

import type { Dataset } from '../domain/datasets.ts';
import type { BooleanNode, NumberNode } from './expression/nodes.ts';
import type { Operator } from './operators.ts';

/**
 * Columns are indexes into the dataset's columns. A range is one of numbers, or of days since 1970-01-01 (`from` and `to`). Its
 * open end is infinite; with `low > high` it holds for no row.
 */
export type Filter =
  | { readonly kind: 'range'; readonly column: number; readonly low: number; readonly high: number }
  | { readonly kind: 'comparison'; readonly left: number; readonly operator: Operator; readonly right: number }
  | { readonly kind: 'not_null'; readonly column: number };

/** What expressions select. */
export interface Condition {
  readonly node: BooleanNode;
  /** Equal for two conditions exactly when they are written alike, apart from spaces and parentheses. */
  readonly key: string;
}

/** The one asset that a listing of days is of, as the client names it. */
export interface AssetChoice {
  readonly by: 'symbol' | 'id';
  /** A ticker in upper case; an id, which may be a ticker too, as it was sent. */
  readonly text: string;
}

export interface Plan {
  /** With the computed columns behind those of the table. */
  readonly dataset: Dataset;
  /** What each computed column is; a table has no values and no order for it. */
  readonly computed: readonly NumberNode[];
  /** As asked for; the tier may lower it before the plan runs. Null: the tier's default. */
  readonly limit: number | null;
  readonly page: number;
  readonly sort: number;
  readonly order: 'asc' | 'desc';
  /** The same two as links carry them. */
  readonly sortInLinks: { readonly sort: string; readonly order: 'asc' | 'desc' };
  /** Columns of the answer, in the dataset's order. */
  readonly columns: readonly number[];
  /** Null: not said by a parameter, so the Accept header decides. */
  readonly format: 'json' | 'csv' | null;
  readonly meta: boolean;
  /** Of columns of the table only. Joined by AND; sorted and without doubles, so that equal questions have equal plans. */
  readonly filters: readonly Filter[];
  /** What no filter can test; null: nothing. */
  readonly where: Condition | null;
  /** Upper case, sorted, without doubles; null: every symbol. */
  readonly symbols: readonly string[] | null;
  /** Null exactly where the listing is not of one asset. */
  readonly asset: AssetChoice | null;
  readonly minHistory: number | null;
  /** Folded for searching; null: no search. */
  readonly search: string | null;
  /** The key, when it came as `api_key=`. */
  readonly apiKey: string | null;
  /** Equal for two requests exactly when they ask for the same rows in the same form, page and limit aside; holds no key. */
  readonly canonical: string;
  /**
   * The other parameters as the client sent them, without limit, sort, order, page and api_key, encoded to stand in a link
   * behind an `&`; empty when there are none.
   */
  readonly rest: string;
}
