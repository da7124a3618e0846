// Loads as a table for people.

import type { StoredLoad } from '../store/store.ts';
import { count, duration, table } from './terminal.ts';

export function loadTable(loads: readonly StoredLoad[]): string {
  return table(
    ['>load', 'source', 'started (UTC)', '>took', 'state', '>read', '>new', '>replaced', '>same', '>refused'],
    loads.map(load => [
      String(load.id),
      load.source,
      load.startedAt.slice(0, 19).replace('T', ' '),
      tookText(load),
      load.state,
      ...[load.read, load.inserted, load.replaced, load.unchanged, load.rejected].map(count),
    ]),
  );
}

/** The end of an undone load is that of its undoing. */
function tookText({ state, startedAt, endedAt }: StoredLoad): string {
  if (endedAt === null || state === 'undone') return '';
  return duration(Date.parse(endedAt) - Date.parse(startedAt));
}
