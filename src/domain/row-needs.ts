// What computing a row reads, derived from its columns: nothing else says how far a window reaches back.

import { INDICATORS } from './catalogue.ts';
import { type Column, type Computation, hasKernel, usesBenchmark } from './columns.ts';
import { KERNEL_FACTS } from './kernels.ts';

export interface RowNeeds {
  /** Daily closes; older ones do not change the row, apart from the state of recursions. */
  readonly closes: number;
  /** Days whose bars are read for more than their closes. */
  readonly bars: number;
  /** Daily closes up to which a recursion may read the first ones: a state of fewer cannot be continued. */
  readonly seed: number;
  /** Daily closes that a comparison with the benchmark takes. */
  readonly benchmark: number;
}

export function rowNeeds(columns: readonly Column[]): RowNeeds {
  const computed = columns.filter(hasKernel);
  const windowed = computed.filter(({ kernel }) => KERNEL_FACTS[kernel].state === 0);
  const recursive = computed.filter(({ kernel }) => KERNEL_FACTS[kernel].state > 0);
  const bars = longest(windowed.filter(({ kernel }) => KERNEL_FACTS[kernel].reads.some(read => read !== 'benchmark')));
  return {
    // A recursion steps from the day before the oldest of the bars.
    closes: Math.max(longest(windowed), bars + 1),
    bars,
    seed: longest(recursive),
    benchmark: longest(windowed.filter(usesBenchmark)),
  };
}

function longest(columns: readonly (Column & Computation)[]): number {
  return columns.reduce((most, column) => Math.max(most, 'minHistory' in column ? column.minHistory : 1), 0);
}

/** Of a row without optional columns. */
export const CLOSES_PER_ROW: number = rowNeeds(INDICATORS).closes;
