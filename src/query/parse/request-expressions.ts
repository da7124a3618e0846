// The expressions of one request: its calc columns, its `where`, and the filters by tag and type, as one condition.

import type { Dataset } from '../../domain/datasets.ts';
import type { Interval } from '../../domain/interval.ts';
import { conjunction } from '../expression/build-nodes.ts';
import { canonicalText } from '../expression/canonical.ts';
import { checkCondition } from '../expression/check.ts';
import { whereSource } from '../expression/expression-source.ts';
import { type BooleanNode, foldText, type LagNode, type NumberNode } from '../expression/nodes.ts';
import { OperatorBudget, parseExpression } from '../expression/parser.ts';
import { Scope } from '../expression/scope.ts';
import { filterText, normaliseFilters } from './normalise-filters.ts';
import { parseCalcs } from './parse-calc.ts';
import type { Condition, Filter } from './plan.ts';
import { conditionOf, splitConditions } from './split-conditions.ts';

export interface Selection {
  readonly filters: readonly Filter[];
  /** Tickers that `where` asks for; null: any. */
  readonly symbols: readonly string[] | null;
  readonly where: Condition | null;
}

export interface SelectionTexts {
  readonly where: string | null;
  /** Any of them; empty: any at all. */
  readonly tags: readonly string[];
  readonly types: readonly string[];
}

export class RequestExpressions {
  /** With the calc columns behind the others. */
  readonly dataset: Dataset;
  readonly computed: readonly NumberNode[];
  /** Equal for two requests exactly when they have the same calc columns. */
  readonly formulas: readonly string[];
  readonly #scope: Scope;
  readonly #budget = new OperatorBudget();

  constructor(dataset: Dataset, calcTexts: readonly string[], interval: Interval) {
    this.#scope = new Scope(dataset, interval);
    const calcs = parseCalcs(calcTexts, this.#scope, this.#budget);
    this.computed = calcs.map(({ node }) => node);
    this.formulas = calcs.map(({ column }) => `${column.name}:${column.formula}`);
    const columns = calcs.map(({ column }) => column);
    this.dataset = columns.length === 0 ? dataset : { ...dataset, columns: [...dataset.columns, ...columns] };
  }

  /** What the expressions read of earlier periods; complete after `select`. */
  get lags(): readonly LagNode[] {
    return this.#scope.lags;
  }

  /** What all of these select together. */
  select(filters: readonly Filter[], { where, tags, types }: SelectionTexts): Selection {
    const hasExpressions = where !== null || tags.length + types.length + this.computed.length > 0;
    if (!hasExpressions) return { filters: normaliseFilters(filters), symbols: null, where: null };
    const parsed = where === null ? null : this.#parseWhere(where);
    const split = splitConditions(this.#scope.dataset, parsed?.condition ?? conjunction([]));
    const first = this.#scope.dataset.columns.length;
    const computed = new Map(this.computed.map((node, i) => [first + i, node]));
    const all = normaliseFilters([...filters, ...split.filters]).map(filter => ({
      filter,
      condition: conditionOf(filter, computed),
    }));
    const ofComputed = all.filter(({ condition }) => condition !== null);
    const node = conjunction([
      ...(split.where === null ? [] : [split.where]),
      ...ofComputed.map(({ condition }) => condition).filter(condition => condition !== null),
      ...profileConditions('tag', tags),
      ...profileConditions('type', types),
    ]);
    const texts = [split.where && parsed?.text, ofComputed.map(({ filter }) => filterText(filter)), tags, types];
    return {
      filters: all.filter(({ condition }) => condition === null).map(({ filter }) => filter),
      symbols: split.symbols,
      where: node.kind === 'truth' && node.value ? null : { node, key: JSON.stringify([...texts, this.formulas]) },
    };
  }

  #parseWhere(text: string): { readonly condition: BooleanNode; readonly text: string } {
    const source = whereSource(text);
    const tree = parseExpression(source, this.#budget);
    return { condition: checkCondition(source, this.#scope, tree), text: canonicalText(tree) };
  }
}

function profileConditions(fact: 'tag' | 'type', values: readonly string[]): BooleanNode[] {
  return values.length === 0 ? [] : [{ kind: 'profile', fact, values: values.map(foldText) }];
}
