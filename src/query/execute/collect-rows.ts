// Filters rows while walking along an order.

import type { Steps } from '../../common/steps.ts';
import type { OrderedRows } from './ordered-rows.ts';
import { keepAll, type RowTest } from './row-test.ts';

/** Rows per step of a walk. */
const WALK_ROWS = 128;
/** A multiple of it: expressions take some time per row. */
const STEP_ROWS = 8 * WALK_ROWS;

/**
 * The rows of the walk that pass every test, at most `wanted`, without the first `skipped`. Null when they are not found within
 * `steps` rows.
 */
export function* collectRows(
  walk: OrderedRows,
  tests: readonly Pick<RowTest, 'keep'>[],
  skipped: number,
  wanted: number,
  steps: number,
): Steps<Uint32Array | null> {
  const found = new Uint32Array(wanted);
  const chunk = new Uint32Array(WALK_ROWS);
  let [count, toSkip, looked] = [0, skipped, 0];
  while (count < wanted) {
    if (looked >= steps) return null;
    const taken = walk.next(chunk, WALK_ROWS);
    if (taken === 0) break;
    looked += taken;
    const kept = keepAll(tests, chunk, taken);
    const first = Math.min(toSkip, kept);
    const last = Math.min(kept, first + wanted - count);
    for (let i = first; i < last; i++) found[count++] = chunk[i]!;
    toSkip -= first;
    if (looked % STEP_ROWS === 0) yield;
  }
  return found.subarray(0, count);
}
