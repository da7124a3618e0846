// What a publication stores of each row besides its day, its history and its price: the indicators, and the optional columns too once a
// client has asked for one of them. A store whose clients never do publishes in half the time and the memory.

import { createHash } from 'node:crypto';
import { BENCHMARK } from '../domain/asset-state.ts';
import { INDICATORS, PUBLISHED_COLUMNS } from '../domain/catalogue.ts';
import { type Column, ownPlace } from '../domain/columns.ts';
import { type RowNeeds, rowNeeds } from '../domain/row-needs.ts';
import { STATE_SIZE } from '../indicators/optional.ts';
import { stateColumns } from '../store/store.ts';

/** With the optional columns, or without. */
export type ColumnSet = 'default' | 'all';

interface StoredColumns {
  /** Rows computed by a version with other columns, or with other definitions of them, are not mistaken for current ones. */
  readonly fingerprint: string;
  readonly valuesPerRow: number;
  /** What computing a row reads. */
  readonly needs: RowNeeds;
}

/** Of kinds whose values were computed with other roundings before: rows of an older version are computed again. */
const REVISIONS: Readonly<Partial<Record<Column['kind'], number>>> = { beta: 3, bollinger: 2, sharpe: 2, turnover: 2 };

export const STORED_COLUMNS: Readonly<Record<ColumnSet, StoredColumns>> = {
  default: storedColumns(INDICATORS, 0),
  // Behind the columns, the state that the recursions of the next publication continue from.
  all: storedColumns(PUBLISHED_COLUMNS, STATE_SIZE),
};

function storedColumns(columns: readonly Column[], stateSize: number): StoredColumns {
  const fingerprint = fingerprintOf(columns, stateSize);
  return { fingerprint, valuesPerRow: columns.length + stateSize, needs: rowNeeds(columns) };
}

/**
 * What identifies the columns of a publication in the store. It ends with the ticker of the benchmark: rows with another one are other
 * rows, and every process that publishes finds it there.
 */
export function publicationColumns(set: ColumnSet, benchmark: string): string {
  return `${STORED_COLUMNS[set].fingerprint}@${benchmark}`;
}

/** The benchmark of a publication; the default one before the first. */
export function benchmarkIn(columns: string | null): string {
  const at = columns?.indexOf('@') ?? -1;
  return columns === null || at < 0 ? BENCHMARK : columns.slice(at + 1);
}

const FIRST_OPTIONAL = PUBLISHED_COLUMNS[INDICATORS.length]!.name;

/** Which columns a store publishes, given the fingerprint of its rows, perhaps by another version; null before the first publication. */
export function columnSetOf(fingerprint: string | null): ColumnSet {
  const names = (fingerprint ?? '').split('#', 1).join().split(',');
  return names.includes(FIRST_OPTIONAL) ? 'all' : 'default';
}

/** The names, and a short hash of all that decides on a value. */
export function fingerprintOf(columns: readonly Column[], stateSize: number = 0): string {
  const definitions = columns.map(column => [
    column.name,
    column.kind,
    'window' in column ? column.window : null,
    'formula' in column ? column.formula : null,
    ...(column.kind in REVISIONS ? [REVISIONS[column.kind]] : []),
  ]);
  const hash = (part: readonly unknown[]) =>
    createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
  const isOwn = columns.map(column => ownPlace(column) !== null);
  const builtIn = hash(definitions.filter((_, i) => !isOwn[i]));
  const own = isOwn.includes(true) ? `+${hash(definitions.filter((_, i) => isOwn[i]))}` : '';
  return `${[...columns.map(column => column.name), ...stateColumns(stateSize)].join(',')}#${builtIn}${own}`;
}

/** The parts of what identifies the columns of a publication. */
function partsOf(columns: string): { readonly builtIn: string; readonly own: string } {
  const [builtIn = '', own = ''] = (columns.split('@', 1)[0]!.split('#')[1] ?? '').split('+');
  return { builtIn, own };
}

/** Whether a publication differs in the columns of the settings file alone: its other columns are those of this process. */
export function hasOtherOwn(published: string | null): boolean {
  if (published === null || columnSetOf(published) !== 'all') return false;
  const [theirs, ours] = [partsOf(published), partsOf(STORED_COLUMNS.all.fingerprint)];
  return theirs.builtIn === ours.builtIn && theirs.own !== ours.own;
}

/** Whether a publication has columns of a settings file, of which this process knows none. */
export function lacksOwn(published: string | null): boolean {
  return published !== null && partsOf(published).own !== '' && partsOf(STORED_COLUMNS.all.fingerprint).own === '';
}
