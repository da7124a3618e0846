// An expression after its check: every name is a column, every type fits, constants are folded. Null is NaN; a truth value is
// never null, because a comparison with null is false.

import type { ProfileFact } from '../../snapshot/table.ts';
import type { Operator } from '../operators.ts';
import type { OperationName } from './operations.ts';

export type NumberNode =
  | { readonly kind: 'constant'; readonly value: number }
  /** A column of numbers, or of days as the number of days since 1970-01-01. */
  | { readonly kind: 'column'; readonly column: number }
  | LagNode
  /** The value of each row of the table, which `withEarlier` puts in the place of a lag. */
  | { readonly kind: 'values'; readonly column: number; readonly values: RowValues }
  | { readonly kind: 'operation'; readonly name: OperationName; readonly operands: readonly NumberNode[] };

/** A column so many periods earlier. */
export interface LagNode {
  readonly kind: 'lag';
  readonly column: number;
  readonly periods: number;
}

/** A number per row; null is NaN. With `places`, of few rows only: the value of row r is at `places.get(r)`. */
export interface RowValues {
  readonly values: Float64Array;
  readonly places?: ReadonlyMap<number, number>;
}

export type BooleanNode =
  | { readonly kind: 'truth'; readonly value: boolean }
  | {
      readonly kind: 'compare';
      readonly operator: Operator;
      readonly left: NumberNode;
      readonly right: NumberNode;
    }
  | { readonly kind: 'is null'; readonly operand: NumberNode }
  | { readonly kind: 'missing text'; readonly column: number }
  /** `values` as `foldText` writes them. With `differs`, texts that are none of them; never a null. */
  | {
      readonly kind: 'text';
      readonly column: number;
      readonly values: readonly string[];
      readonly differs: boolean;
    }
  | { readonly kind: 'flag'; readonly column: number }
  /** The asset has any of these tags, or one of these types; as `foldText` writes them. */
  | { readonly kind: 'profile'; readonly fact: ProfileFact; readonly values: readonly string[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly BooleanNode[] }
  | { readonly kind: 'not'; readonly operand: BooleanNode };

/** Texts are equal if they differ in case only, as tickers and ids are everywhere in the API. */
export function foldText(text: string): string {
  return text.toUpperCase();
}
