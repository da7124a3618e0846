import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MARKET, marketSource, TODAY } from '../../test/http/market.ts';
import { plainTable } from '../../test/support/market.ts';
import type { Day } from '../domain/day.ts';
import { load } from '../ingest/pipeline.ts';
import { openStore } from '../store/open.ts';
import { pastSnapshot } from './past-snapshot.ts';

describe('the snapshot of a past day', () => {
  it('has the assets as new that had their first close up to 5 days before it', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-past-'));
    const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
    t.after(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    // With closes of 5, 6, 7 and 420 days.
    const assets = MARKET.filter(({ symbol }) => ['FIVE', 'SIX', 'SEVEN', 'BTC'].includes(symbol));
    await load({ store, source: marketSource(assets), today: TODAY, signal: new AbortController().signal });
    const newOn = async (day: number) => {
      const wanted = { interval: '1d' as const, day: day as Day, optional: false, inactive: false }; // days beside a day are days
      const { tables } = await pastSnapshot(store, wanted);
      return plainTable(tables.assets).map(row => `${row['symbol']} ${row['is_new']}`);
    };
    assert.deepEqual((await newOn(TODAY)).sort(), ['BTC false', 'FIVE true', 'SEVEN false', 'SIX true']);
    assert.deepEqual((await newOn(TODAY - 5)).sort(), ['BTC false', 'SEVEN true', 'SIX true']);
  });
});
