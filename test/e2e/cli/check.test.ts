// `check` of stored bars with planted errors, through the real program and on both stores.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { openStore } from '../../../src/store/open.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { run } from '../../resilience/faults/loading.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-check-'));
after(() => rmSync(folder, { recursive: true }));

/** Closes that move by a percent a day, so that nothing is in doubt. */
const calm = (day: number) => 100 * (1 + (day % 2) / 100);

/** Days are counted from 2024-03-01. */
async function filled(url: string): Promise<void> {
  const store = await openStore(url);
  const [good = 0, spiked = 0, holed = 0] = await store.putAssets([draft('good'), draft('spiked'), draft('holed')]);
  const days = Array.from({ length: 100 }, (_, day) => day);
  await store.putBars(
    batch([
      ...days.map(day => ({ assetNumber: good, day, close: calm(day) })),
      ...days.map(day => ({ assetNumber: spiked, day, close: calm(day) * (day === 59 ? 10 : 1) })),
      ...days.filter(day => day < 30 || day > 32).map(day => ({ assetNumber: holed, day, close: calm(day) })),
    ]),
  );
  await recomputePending(store);
  await store.close();
}

for (const [name, urlOf] of [
  ['SQLite', async () => `sqlite:${join(folder, 'check.db')}`],
  ['PostgreSQL', freshPostgresUrl],
] as const) {
  describe(`check on ${name}`, () => {
    let url = '';

    it('finds what was planted and nothing else, and exits with 1', async () => {
      url = await urlOf();
      await filled(url);
      const { code, stdout } = await run('check', '--json', '--store', url);
      assert.equal(code, 1);
      const { assets, bars, findings } = JSON.parse(stdout);
      assert.deepEqual([assets, bars], [3, 297]);
      assert.deepEqual(
        findings.map(({ id, day, rule, value }: Record<string, unknown>) => ({ id, day, rule, value })),
        [
          { id: 'spiked', day: '2024-04-29', rule: 'spike', value: 1010 },
          { id: 'holed', day: '2024-03-31', rule: 'gap', value: 3 },
        ],
      );
    });

    it('lists them for people, by rule and newest first', async () => {
      const { stdout } = await run('check', '--store', url);
      assert.match(stdout, /gap +1 +1\nspike +1 +1\n/);
      assert.match(stdout, /2024-04-29 +spiked +spike +1010 .*\n2024-03-31 +holed +gap +3 /);
      assert.match(stdout, /297 bars of 3 assets checked in .*: 2 findings\n$/);
    });

    it('takes one asset or one rule, and exits with 0 if nothing is found', async () => {
      assert.equal((await run('check', '--asset', 'good', '--store', url)).code, 0);
      assert.equal((await run('check', '--rule', 'flat', '--store', url)).code, 0);
      assert.equal((await run('check', '--rule', 'gap', '--store', url)).code, 1);
      const wrong = await run('check', '--rule', 'gaps', '--store', url);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /--rule: expected one of gap, stale/);
      assert.equal((await run('check', '--rule', 'disagree', '--store', url)).code, 2);
    });
  });
}

describe('check', () => {
  const url = `sqlite:${join(folder, 'many.db')}`;

  it('lists the newest findings of many for people, and all as JSON', async () => {
    const store = await openStore(url);
    const [sparse = 0, late = 0] = await store.putAssets([draft('sparse'), draft('late'), draft('silent')]);
    const days = Array.from({ length: 60 }, (_, day) => day);
    await store.putBars(
      batch([
        ...days.map(day => ({ assetNumber: sparse, day: 2 * day, close: calm(day) })),
        ...days.map(day => ({ assetNumber: late, day: 59 + day, close: day === 58 ? 0.1 + 0.2 : calm(day) / 1e3 })),
      ]),
    );
    // A later load has a close above the high, which it does not know.
    await store.putBars(batch([{ assetNumber: late, day: 61, close: 0.101, high: 0.1015 }]));
    await store.putBars(batch([{ assetNumber: late, day: 61, close: 0.102 }]));
    await recomputePending(store);
    await store.close();
    const { findings } = JSON.parse((await run('check', '--json', '--store', url)).stdout);
    assert.equal(findings.length, 61);
    const rules = findings.slice(-2).map(({ rule, value }: Record<string, unknown>) => ({ rule, value }));
    assert.deepEqual(rules, [
      { rule: 'inconsistent', value: 0.1015 },
      { rule: 'spike', value: 0.1 + 0.2 },
    ]);
    const { stdout } = await run('check', '--store', url);
    assert.match(stdout, /gap +59 +1\nspike +1 +1\ninconsistent +1 +1\n/);
    const listed = stdout.split('\n').filter(line => /^20\d\d-/.test(line));
    assert.equal(listed.length, 40);
    assert.deepEqual(listed, listed.toSorted().reverse());
    assert.match(stdout, / late +spike +0\.3 /);
    assert.match(stdout, /\n… +21 more\n/);
  });

  it('of an asset without bars finds nothing', async () => {
    const { code, stdout } = await run('check', '--asset', 'silent', '--store', url);
    assert.equal(code, 0);
    assert.match(stdout, /^0 bars of 1 asset checked in .*: no findings\n$/);
    const json = await run('check', '--asset', 'silent', '--json', '--store', url);
    assert.deepEqual(JSON.parse(json.stdout), { assets: 1, bars: 0, findings: [] });
  });
});
