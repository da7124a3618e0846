// A snapshot of very many assets, in a process of its own: prints how long it takes and what it holds, as JSON.
//
//   node million.ts ASSETS         as a server builds it
//   node million.ts ASSETS alone   without the helper thread

import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { CLOSES_PER_ROW } from '../../src/domain/row-needs.ts';
import { STORED_COLUMNS } from '../../src/publish/columns.ts';
import { SnapshotBuilder } from '../../src/snapshot/build/builder.ts';
import { CurrentRows } from '../../src/store/postgres/current-rows.ts';
import type { AssetFacts, CurrentRow } from '../../src/store/store.ts';
import { PLAIN_FACTS } from '../query/universe.ts';
import { NEXT_DAY } from './market.ts';

export interface MillionResult {
  readonly fullMillis: number;
  readonly oneMillis: number;
  /** Beyond the process before it: while the first snapshot is built, its input included, and after an update. */
  readonly peakBytes: number;
  readonly heldBytes: number;
}

const assets = Number(process.argv[2]);
if (process.argv[3] === 'alone') {
  // A builder on one core has no helper thread.
  os.availableParallelism = () => 1;
  syncBuiltinESMExports();
}

/** As the stores give them. */
function rowsOf(count: number, factor: number): CurrentRow[] {
  const found = new CurrentRows(STORED_COLUMNS.all.valuesPerRow);
  for (let assetNumber = 1; assetNumber <= count; assetNumber++) {
    const { values } = found.add(assetNumber, NEXT_DAY, CLOSES_PER_ROW, assetNumber * factor);
    for (let i = 0; i < values.length; i++) values[i] = Math.sin(assetNumber * (i + 1)) * factor;
  }
  return found.rows;
}

function statusBytes(name: 'VmHWM' | 'VmRSS'): number {
  const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

function millis(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const base = statusBytes('VmRSS');
const builder = new SnapshotBuilder();
const now = Date.now();

function first(): number {
  const facts: AssetFacts[] = Array.from({ length: assets }, (_, i) => {
    const [id, symbol, name] = [`s${i}-asset-${i}`, `S${i}`, `Asset ${i}`];
    return {
      assetNumber: i + 1,
      id,
      symbol,
      name,
      rank: i + 1,
      type: 'coin',
      ...PLAIN_FACTS,
    };
  });
  const rows = rowsOf(assets, 1);
  return millis(() => builder.apply({ version: 1, all: true, assets: facts, rows, now }));
}

const fullMillis = first();
const peakBytes = statusBytes('VmHWM') - base;
const updates = Array.from({ length: 9 }, (_, i) => {
  const rows = rowsOf(1, 2 + i);
  const taken = millis(() => builder.apply({ version: 2 + i, all: false, assets: [], someAssets: true, rows, now }));
  // As a server does after each publication.
  builder.prepare();
  return taken;
});
globalThis.gc?.();
// What was found to be garbage is given back by another thread.
await wait(1000);
const oneMillis = updates.sort((a, b) => a - b)[4]!;
const result: MillionResult = { fullMillis, oneMillis, peakBytes, heldBytes: statusBytes('VmRSS') - base };
process.stdout.write(JSON.stringify(result));
