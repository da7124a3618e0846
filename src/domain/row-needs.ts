// What computing a row reads, derived from its columns: nothing else says how far a window reaches back.

import { INDICATORS } from './catalogue.ts';
import { type Column, type Computation, hasKernel, ownPlace, usesBenchmark } from './columns.ts';
import { KERNEL_FACTS } from './kernels.ts';
import { OWN_DEFINITIONS } from './own/definitions.ts';
import { continues, reachOf, readsOf, warmUpOf } from './own/facts.ts';
import type { OwnNode } from './own/language.ts';

export interface RowNeeds {
  /** Daily closes; older ones do not change the row, apart from the state of recursions. */
  readonly closes: number;
  /** Days whose bars are read for more than their closes. */
  readonly bars: number;
  /** Daily closes up to which a recursion may read the first ones: a state of fewer cannot be continued. */
  readonly seed: number;
  /** Daily closes that a comparison with the benchmark takes. */
  readonly benchmark: number;
  /** A state of so many days ago, or more, cannot be continued. */
  readonly gap: number;
  /** A column of the settings file has a recursion inside a window: its row reads the whole history. */
  readonly whole: boolean;
}

export function rowNeeds(columns: readonly Column[]): RowNeeds {
  const all = columns.filter(hasKernel);
  const computed = all.filter(column => ownPlace(column) === null);
  const own = all.flatMap(column => OWN_DEFINITIONS[ownPlace(column) ?? -1]?.node ?? []);
  const windowed = computed.filter(({ kernel }) => KERNEL_FACTS[kernel].state === 0);
  const recursive = computed.filter(({ kernel }) => KERNEL_FACTS[kernel].state > 0);
  const bars = longest(windowed.filter(({ kernel }) => KERNEL_FACTS[kernel].reads.some(read => read !== 'benchmark')));
  /** Of what is computed anew on each day since the state. */
  const reach = (nodes: readonly OwnNode[]) =>
    nodes.reduce((most, node) => Math.max(most, reachOf(node) + 1 + bars), 0);
  const ownBars = reach(own.filter(node => readsOf(node).length > 0));
  return {
    // A recursion steps from the day before the oldest of the bars.
    closes: Math.max(longest(windowed), bars + 1, reach(own)),
    bars: Math.max(bars, ownBars),
    seed: own.reduce((most, node) => Math.max(most, warmUpOf(node) + 1), longest(recursive)),
    benchmark: longest(windowed.filter(usesBenchmark)),
    gap: bars,
    whole: !own.every(continues),
  };
}

function longest(columns: readonly (Column & Computation)[]): number {
  return columns.reduce((most, column) => Math.max(most, 'minHistory' in column ? column.minHistory : 1), 0);
}

/** Of a row without optional columns. */
export const CLOSES_PER_ROW: number = rowNeeds(INDICATORS).closes;
