// The rows of a page: selected, and rendered if the page is short.

import { type ByteCache, responseSize } from '../../common/byte-cache.ts';
import type { Steps } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import type { Piece } from '../../http/wire/answer.ts';
import { executeInSteps } from '../../query/execute/execute.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { renderChunks, renderParts, renderWhole } from '../../render/chunks.ts';
import { pageOf, pageOfInSteps } from '../../render/computed-page.ts';
import type { RowSelection } from '../../render/page.ts';
import type { Table } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { perContext } from '../context.ts';
import { type Neighbours, neighbours } from './links.ts';
import type { ResponseTemplate } from './template.ts';

/** Longer pages are rendered while they are sent, to bound memory and the time of one turn. */
const STREAM_FROM_ROWS = 500;
/** Pages up to this size are cached as a text, which Node sends together with the headers. */
const SHORT_BYTES = 16 * 2 ** 10;

/** The rows of a page; rendered, unless it is long. */
export interface RenderedPage {
  readonly rows: Uint32Array;
  readonly bytes: Piece | null;
  readonly neighbours: Neighbours;
}

/** The rendered pages of all listings, of the newest snapshot. */
export const pagesOf = perContext(
  ({ cacheBytes }) => new VersionedCache<RenderedPage>(CACHE_SHARES.pages * cacheBytes),
);

export function* pageInSteps(
  plan: Plan,
  { limit, format, rowsName }: ResponseTemplate,
  table: Table,
  pages: ByteCache<RenderedPage> | null,
): Steps<RenderedPage> {
  const pageRows = limit ?? Math.max(1, table.rows);
  const found = yield* executeInSteps(plan, table, pageRows);
  yield;
  const rendered =
    found.rows.length > STREAM_FROM_ROWS
      ? null
      : renderWhole(yield* pageOfInSteps(plan, table, found.rows), format, plan.meta);
  const page = {
    // Without the unused rest of the buffer.
    rows: found.rows.byteLength < found.rows.buffer.byteLength ? found.rows.slice() : found.rows,
    bytes: rendered && keepable(rendered),
    neighbours: neighbours(found, plan.page, pageRows),
  };
  pages?.set(rowsName, page, responseSize(rowsName, page.rows.byteLength + (rendered?.length ?? 0)));
  return page;
}

function keepable(rendered: Buffer): Piece {
  return rendered.length <= SHORT_BYTES ? rendered.toString('latin1') : rendered;
}

/** The rows of a long page, rendered piece by piece. */
export function* longPage(
  plan: Plan,
  { format }: ResponseTemplate,
  table: Table,
  rows: Uint32Array,
): Generator<Buffer, void, undefined> {
  if (plan.computed.length === 0) yield* renderChunks(pageOf(plan, table, rows), format, plan.meta);
  else yield* renderParts(computedParts(plan, table, rows), format, plan.meta);
}

/** Of a long page with computed columns, so many rows are in memory at a time. */
const PART_ROWS = 500;

function* computedParts(plan: Plan, table: Table, rows: Uint32Array): Generator<RowSelection, void, undefined> {
  for (let from = 0; from < rows.length; from += PART_ROWS) {
    yield pageOf(plan, table, rows.subarray(from, from + PART_ROWS));
  }
}
