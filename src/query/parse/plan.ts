// A checked request for rows: every name is a column of the dataset, and every number is valid.

import type { Dataset } from '../../domain/datasets.ts';
import type { FormatName } from '../../domain/formats.ts';
import type { Interval, Period } from '../../domain/interval.ts';
import type { BooleanNode, LagNode, NumberNode } from '../expression/nodes.ts';
import type { Operator } from '../operators.ts';

/**
 * Columns are indexes into the dataset's columns. A range is of numbers, or of periods (`from` and `to`). An open end
 * is infinite; with `low > high` no row passes.
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

/** The asset whose days are requested, as the client names it. */
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
  /** What expressions read of earlier periods: a plan with any runs once `withEarlier` has bound the values. */
  readonly lags: readonly LagNode[];
  /** As requested; the tier may lower it before the plan runs. Null: the tier's default. */
  readonly limit: number | null;
  readonly page: number;
  readonly sort: number;
  readonly order: 'asc' | 'desc';
  /** The same two as links carry them. */
  readonly sortInLinks: { readonly sort: string; readonly order: 'asc' | 'desc' };
  /** Columns of the response, in the dataset's order. */
  readonly columns: readonly number[];
  /** Null: no parameter names it, so the Accept header decides. */
  readonly format: FormatName | 'sse' | null;
  readonly meta: boolean;
  /** Of columns of the table only. Joined by AND; sorted, without duplicates, so that equal requests have equal plans. */
  readonly filters: readonly Filter[];
  /** What no filter can test; null: nothing. */
  readonly where: Condition | null;
  /** Upper case, sorted, without duplicates; null: every symbol. */
  readonly symbols: readonly string[] | null;
  /** Null exactly if the dataset is not of one asset. */
  readonly asset: AssetChoice | null;
  /** `1d` if the dataset has no such parameter. */
  readonly interval: Interval;
  /** The quote as the client names it, in upper case if that can be undone; null: dollars. */
  readonly quote: string | null;
  /** Ticker of that quote, for the units of columns; null for dollars, and until the quote is looked up. */
  readonly unit: string | null;
  /** Without actions and corrections; absent: with them. */
  readonly adjusted?: false;
  /** The bars are those of this source; absent: the served ones. */
  readonly source?: string;
  /** The rows are those of this period; null: the current ones. */
  readonly asOf: Period | null;
  readonly minHistory: number | null;
  /** Folded for searching; null: no search. */
  readonly search: string | null;
  /** The API key, if it came as `api_key=`. */
  readonly apiKey: string | null;
  /** Whether rows, order or filters need an optional column that a store publishes on demand. */
  readonly usesOptional: boolean;
  /** The inactive assets are listed too. */
  readonly inactive: boolean;
  /** Equal for two requests exactly if they want the same rows in the same form, apart from page and limit. Without the API key. */
  readonly canonical: string;
  /**
   * The other parameters as the client sent them, without limit, sort, order, page and api_key, encoded for a link, to follow an
   * `&`; empty if there are none.
   */
  readonly rest: string;
}
