import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Day, dayFromIso } from '../../domain/day.ts';
import { openStore } from '../../store/open.ts';
import { FactWriter } from './fact-writer.ts';

const FIRST = dayFromIso('2024-01-01')!;

it('a file with its newest rows first gives what the same file gives with its oldest first, also when it corrects another', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'fact-writer-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
  t.after(() => store.close());
  const facts = { name: 'A', rank: null, type: null, supply: null, tags: '', provisional: false, delisted: false };
  const assets = await store.putAssets(['a', 'b'].map(id => ({ ...facts, id, symbol: id })));
  const rowsOf = (asset: number, supplies: readonly number[]) =>
    supplies.map((supply, i) => ({ assetNumber: asset, day: (FIRST + i) as Day, supply }));
  const found: unknown[] = [];
  for (const [i, asset] of assets.entries()) {
    for (const [load, supplies] of [
      [1, [5, 5, 5, 5, 6, 6]],
      [2, [7, 5, 5, 5, 6, 6]],
    ] as const) {
      const writer = new FactWriter(store, load);
      const rows = rowsOf(asset, supplies);
      for (const row of i === 0 ? rows : rows.toReversed()) await writer.put([row]);
    }
    const days = Array.from({ length: 8 }, (_, day) => FIRST + day - 1);
    found.push([
      ...(
        await store.factsOn(
          days.map(() => asset),
          days,
        )
      ).supply,
    ]);
  }
  assert.deepEqual(found[0], [Number.NaN, 7, 5, 5, 5, 6, 6, 6]);
  assert.deepEqual(found[1], found[0]);
});
