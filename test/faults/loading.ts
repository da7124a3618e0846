// A load in a process of its own, to be killed; and all that a store holds, to be compared.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/open.ts';

const launcher = join(import.meta.dirname, '../../scripts/launch.js');

/** `tidemark ingest csv FILE --store URL`, the real program. */
export function startLoad(file: string, url: string): ChildProcess {
  const args = [launcher, 'ingest', 'csv', file, '--store', url];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  return new Promise(resolve => child.on('close', code => resolve({ code, stderr })));
}

/** Every bar and every published row by asset id, as plain values; what must be equal after a crash and a repeat. */
export async function contents(url: string): Promise<Record<string, unknown>> {
  const store = await openStore(url);
  try {
    const assets = await store.assets();
    const published = await store.currentSince(0);
    const rows = new Map(published.rows.map(row => [row.key, row]));
    const entries = await Promise.all(
      assets.map(async asset => {
        const bars = await store.bars(asset.key, FIRST_DAY, LAST_DAY);
        const row = rows.get(asset.key);
        const current = row && { day: row.day, history: row.history, price: row.price, values: [...row.values] };
        const facts = { symbol: asset.symbol, first: asset.firstDay, last: asset.lastDay, count: asset.bars };
        return [
          asset.id,
          { facts, day: [...bars.day], close: [...bars.close], volume: [...bars.volume], current },
        ] as const;
      }),
    );
    return { pending: await store.pending(), ...Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
  } finally {
    await store.close();
  }
}
