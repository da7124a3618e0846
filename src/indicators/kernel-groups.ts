// Runs the kernels of some columns. Columns that share a kernel are computed together.

import type { Steps } from '../common/steps.ts';
import type { KernelColumn } from '../domain/columns.ts';
import { KERNEL_FACTS, type KernelName } from '../domain/kernels.ts';
import type { Kernel, Outputs, Series } from './kernel.ts';
import { KERNELS } from './kernels/index.ts';
import { ownStateSize } from './kernels/own.ts';

/** One array per column, in the order of the columns; null is NaN. */
export type ColumnTable = readonly Float64Array[];

interface KernelGroup {
  readonly kernel: Kernel;
  /** Ascending. */
  readonly lengths: readonly number[];
  /** By length and output, the place of the column in a table; -1 if no column has it. */
  readonly places: readonly (readonly number[])[];
  /** Where its state begins. */
  readonly state: number;
  readonly isRecursive: boolean;
}

export class KernelGroups {
  readonly columns: readonly KernelColumn[];
  /** Numbers of the state of all recursions. */
  readonly stateSize: number;
  readonly #groups: readonly KernelGroup[];

  constructor(columns: readonly KernelColumn[]) {
    this.columns = columns;
    let state = 0;
    const names = Object.keys(KERNEL_FACTS) as KernelName[]; // the keys of its type
    this.#groups = names.flatMap(name => {
      const own = columns.filter(({ kernel }) => kernel === name);
      if (own.length === 0) return [];
      if (name === 'own') {
        // Each definition has its own state, and its own steps.
        return own.map(({ length: place }) => {
          const size = ownStateSize(place);
          const places = [[columns.findIndex(each => each.kernel === name && each.length === place)]];
          const group = { kernel: KERNELS[name], lengths: [place], places, state, isRecursive: size > 0 };
          state += size;
          return group;
        });
      }
      const { outputs, state: size } = KERNEL_FACTS[name];
      const lengths = [...new Set(own.map(({ length }) => length))].sort((a, b) => a - b);
      const place = (length: number, output: string) =>
        columns.findIndex(each => each.kernel === name && each.length === length && each.output === output);
      const places = lengths.map(length => outputs.map(output => place(length, output)));
      const group = { kernel: KERNELS[name], lengths, places, state, isRecursive: size > 0 };
      state += size * lengths.length;
      return [group];
    });
    this.stateSize = state;
  }

  table(rows: number): ColumnTable {
    return this.columns.map(() => new Float64Array(rows));
  }

  /** What writes values to a table. */
  into(table: ColumnTable): KernelRun {
    const rows = table[0]?.length ?? 0;
    const outputs = this.#groups.map(({ places }) =>
      // As many as the kernel has, which is all that it uses of them. What no column wants is written nevertheless.
      places.map(ofLength => ofLength.map(at => table[at] ?? new Float64Array(rows)) as unknown as Outputs),
    );
    return new KernelRun(this.#groups, outputs);
  }
}

/** Days of one kernel in one step. */
const STEP_DAYS = 1024;

export class KernelRun {
  readonly #groups: readonly KernelGroup[];
  readonly #outputs: readonly (readonly Outputs[])[];

  constructor(groups: readonly KernelGroup[], outputs: readonly (readonly Outputs[])[]) {
    this.#groups = groups;
    this.#outputs = outputs;
  }

  /** Writes the values of the days `first …` of the series to the rows `row …` of the table. */
  write(series: Series, first: number, row: number): void {
    for (let g = 0; g < this.#groups.length; g++) {
      const { kernel, lengths, state } = this.#groups[g]!;
      kernel(series, first, lengths, this.#outputs[g]!, row, state);
    }
  }

  /** Writes the values of all days of the series, which begins with the first close; it stops now and then. */
  *writeInSteps(series: Series): Steps<void> {
    const { end } = series;
    for (let g = 0; g < this.#groups.length; g++) {
      const { kernel, lengths, state } = this.#groups[g]!;
      for (let first = 0; first < end; first += STEP_DAYS) {
        series.next = first;
        series.end = Math.min(first + STEP_DAYS, end);
        kernel(series, first, lengths, this.#outputs[g]!, first, state);
        yield;
      }
      series.end = end;
    }
  }

  /** Steps the recursions to the day before the last, whose state the series then has. */
  stepToDayBefore(series: Series): void {
    const before = series.end - 1;
    series.end = before;
    for (let g = 0; g < this.#groups.length; g++) {
      const { kernel, lengths, state, isRecursive } = this.#groups[g]!;
      if (isRecursive) kernel(series, before, lengths, this.#outputs[g]!, 0, state);
    }
    series.next = before;
    series.end = before + 1;
  }
}
