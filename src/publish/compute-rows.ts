// The current rows of assets, computed from their bars, chunk after chunk.

import type { AssetNumber } from '../domain/asset.ts';
import type { Day } from '../domain/day.ts';
import type { Period } from '../domain/interval.ts';
import { currentRows, indicatorTable } from '../indicators/engine.ts';
import type { BarStore, CurrentPart, CurrentRow, DailyCloses } from '../store/store.ts';
import { STORED_COLUMNS } from './columns.ts';
import type { OptionalValues } from './optional-values.ts';

/** Assets at a time: asking has its own cost, of which more than this would save little and take memory. */
const CHUNK = 1024;
/** Chunks that are asked for before their turn: a database in a process of its own reads them while another one is worked on. */
const READ_AHEAD = 2;

export interface RowOptions {
  /** Null: rows without the optional columns. */
  readonly optional: OptionalValues | null;
  /** As if there were no bars after that period. */
  readonly until?: Period;
  /** Periods per year of the interval; those of days without it. */
  readonly perYear?: number;
  /** Gets the closes of each chunk of assets. */
  readonly look?: (assets: readonly AssetNumber[], closes: DailyCloses) => void;
}

/** Assets without bars have no row. */
export async function computeRows(
  store: Pick<BarStore, 'closes'>,
  assets: readonly AssetNumber[],
  options: RowOptions,
): Promise<CurrentRow[]> {
  const rows: CurrentRow[] = [];
  for await (const part of computedParts(store, assets, options)) rows.push(...part.rows);
  return rows;
}

export async function* computedParts(
  store: Pick<BarStore, 'closes'>,
  assets: readonly AssetNumber[],
  { optional, until, perYear, look }: RowOptions,
): AsyncGenerator<CurrentPart, void, undefined> {
  const { needs, valuesPerRow } = STORED_COLUMNS[optional === null ? 'default' : 'all'];
  const also = { onlyCloses: look !== undefined };
  const ask = (chunk: readonly AssetNumber[]) => ({
    chunk,
    answer: awaited(Promise.all([store.closes(chunk, needs.closes, until, also), optional?.read(chunk) ?? null])),
  });
  const asked: ReturnType<typeof ask>[] = [];
  for (let from = 0; from < assets.length || asked.length > 0; ) {
    for (; from < assets.length && asked.length <= READ_AHEAD; from += CHUNK)
      asked.push(ask(assets.slice(from, from + CHUNK)));
    const { chunk, answer } = asked.shift()!; // the loop ends when there is none
    const [closes, inputs] = await answer;
    const present = chunk.map((_, i) => i).filter(i => closes.starts[i + 1]! > closes.starts[i]!);
    const removed = chunk.filter((_, i) => closes.starts[i + 1] === closes.starts[i]);
    const rows = rowsOf(chunk, present, closes, valuesPerRow, perYear);
    if (optional !== null && inputs !== null) await optional.fill(rows, present, closes, inputs);
    look?.(chunk, closes);
    yield { rows, removed };
  }
}

/** The await reports a failure; when an earlier chunk failed, nothing awaits this one, and its failure must not end the process. */
function awaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** `present` are the places of the assets that have closes. */
function rowsOf(
  assets: readonly AssetNumber[],
  present: readonly number[],
  closes: DailyCloses,
  width: number,
  perYear: number | undefined,
): CurrentRow[] {
  const { starts, close, firstDay, lastDay } = closes;
  const table = indicatorTable(present.length);
  // Assets without closes take no room, so that those with some lie side by side.
  currentRows(
    { closes: close, starts: Uint32Array.of(0, ...present.map(i => starts[i + 1]!)) },
    table,
    undefined,
    perYear,
  );
  // One memory for the values of all rows: thousands of small ones are slow to come by and slow to be given back.
  const values = new Float64Array(present.length * width);
  return present.map((i, row) => {
    const own = values.subarray(row * width, (row + 1) * width);
    for (let column = 0; column < table.length; column++) own[column] = table[column]![row]!;
    const day = lastDay[i]! as Day; // only days from the domain are ever stored
    return {
      assetNumber: assets[i]!,
      day,
      history: day - firstDay[i]! + 1,
      price: close[starts[i + 1]! - 1]!,
      values: own,
    };
  });
}
