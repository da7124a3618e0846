import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fillFine } from '../../test/support/fine-bars.ts';
import { activePeriods } from '../domain/active-periods.ts';
import { openStore } from '../store/open.ts';
import { UpdatedListings } from './updated-listings.ts';

describe('the newest listings that are kept', () => {
  it('stay within their memory: what was asked for longest ago goes first', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-kept-'));
    const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
    t.after(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    await fillFine(store);
    /** How often all rows were read, and not those of a publication alone. */
    let whole = 0;
    const counted: Pick<typeof store, 'readConsistently'> = {
      readConsistently: work =>
        store.readConsistently(view =>
          work({
            ...view,
            currentSince: version => {
              if (version === 0) whole++;
              return view.currentSince(version);
            },
          }),
        ),
    };
    const one = new UpdatedListings(activePeriods(), 1e9);
    await one.next(counted, '1h');
    const { bytes } = one;

    const two = new UpdatedListings(activePeriods(), 2.5 * bytes);
    whole = 0;
    for (const interval of ['1h', '1m', '1h', '1m'] as const) await two.next(counted, interval);
    assert.equal(whole, 2);
    await two.next(counted, '4h');
    assert.ok(two.bytes <= 2.5 * bytes);
    await two.next(counted, '1m');
    assert.equal(whole, 3, 'the newer one was kept');
    await two.next(counted, '1h');
    assert.equal(whole, 4, 'the older one was not');

    const none = new UpdatedListings(activePeriods(), bytes / 2);
    whole = 0;
    for (let i = 0; i < 2; i++) await none.next(counted, '1h');
    assert.deepEqual([whole, none.bytes], [2, 0]);
  });
});
