// `check` of stored bars with planted errors, through the real program and on both stores.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
      const { assets, findings } = JSON.parse(stdout);
      assert.equal(assets, 3);
      assert.deepEqual(
        findings.map(({ id, period, rule, value, state }: Record<string, unknown>) => ({
          id,
          period,
          rule,
          value,
          state,
        })),
        [
          { id: 'spiked', period: '2024-04-29', rule: 'spike', value: 1010, state: 'open' },
          { id: 'holed', period: '2024-03-31', rule: 'gap', value: 3, state: 'open' },
        ],
      );
    });

    it('lists them for people, by rule and newest first', async () => {
      const { stdout } = await run('check', '--store', url);
      assert.match(stdout, /gap +1 +1\nspike +1 +1\n/);
      assert.match(stdout, /spike:spiked:2024-04-29 +1010 .*\ngap:holed:2024-03-31 +3 /);
      assert.match(stdout, /3 assets: 2 findings\n$/);
    });

    it('takes one asset or one rule, and exits with 0 if nothing is found', async () => {
      assert.equal((await run('check', '--asset', 'good', '--store', url)).code, 0);
      assert.equal((await run('check', '--rule', 'flat', '--store', url)).code, 0);
      assert.equal((await run('check', '--rule', 'gap', '--store', url)).code, 1);
      const wrong = await run('check', '--rule', 'gaps', '--store', url);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /--rule: expected one of gap, stale/);
      assert.equal((await run('check', '--rule', 'disagree', '--store', url)).code, 0);
    });

    it('leaves out what was accepted, until that is undone', async () => {
      const finding = 'spike:spiked:2024-04-29';
      const missing = await run('accept', finding, '--store', url);
      assert.equal(missing.code, 2);
      assert.match(missing.stderr, /--reason is missing/);
      const unknown = await run('accept', 'spike:spiked:2024-04-30', '--reason', 'x', '--store', url);
      assert.match(unknown.stderr, /unknown finding spike:spiked:2024-04-30\n.*spike:spiked:2024-04-29/);
      assert.match(
        (await run('accept', 'spikes', '--reason', 'x', '--store', url)).stderr,
        /is not the name of a finding/,
      );
      const accepted = await run('accept', finding, '--reason', 'a real one', '--store', url);
      assert.match(accepted.stdout, /^spike:spiked:2024-04-29 accepted, version \d+ published\n$/);
      const names = async (...flags: string[]) =>
        JSON.parse((await run('check', '--json', ...flags, '--store', url)).stdout).findings.map(
          (each: Record<string, unknown>) => [each['finding'], each['state']],
        );
      assert.deepEqual(await names(), [['gap:holed:2024-03-31', 'open']]);
      assert.deepEqual(await names('--all', '--again'), [
        [finding, 'accepted'],
        ['gap:holed:2024-03-31', 'open'],
      ]);
      assert.match((await run('acceptances', '--store', url)).stdout, /spike:spiked:2024-04-29 .* a real one\n/);
      assert.equal((await run('acceptances', 'undo', finding, '--store', url)).code, 0);
      assert.equal((await run('acceptances', 'undo', finding, '--store', url)).code, 1);
      assert.equal((await names()).length, 2);
    });

    it('takes corrections and actions, lists them, and takes them back', async () => {
      const correct = ['correct', '--asset', 'spiked', '--period', '2024-04-29', '--store', url];
      for (const [flags, problem] of [
        [['--close', '101'], /--reason is missing/],
        [['--reason', 'x'], /--close is missing/],
        [['--close', '0', '--reason', 'x'], /--close: expected a price/],
        [['--close', '5', '--high', '4', '--reason', 'x'], /--high is below/],
        [['--close', '5', '--drop', '--reason', 'x'], /--drop removes the bar/],
        [['--close', '5', '--interval', '1h', '--reason', 'x'], /--period: expected 2024-03-01T05:00/],
        [['--close', '5', '--period', '2024-04-29T05:00', '--reason', 'x'], /; a time needs --interval 1h or 1m$/m],
        [['--close', '5', '--period', '2924-04-29', '--reason', 'x'], /2924-04-29 has not begun; it is 20\d\d-/],
      ] as const) {
        const refused = await run(...correct, ...flags);
        assert.deepEqual([refused.code, problem.test(refused.stderr)], [2, true], refused.stderr);
      }
      assert.match(
        (await run(...correct, '--close', '101', '--reason', 'typo')).stdout,
        /^correction 1: spiked closes at 101/,
      );
      const listed = JSON.parse((await run('corrections', '--json', '--store', url)).stdout);
      assert.deepEqual([listed[0].asset, listed[0].close, listed[0].state], ['spiked', 101, 'counts']);
      const all = JSON.parse((await run('check', '--all', '--json', '--store', url)).stdout).findings;
      assert.deepEqual(
        all.map((each: Record<string, unknown>) => each['state']),
        ['corrected', 'open'],
      );
      assert.equal((await run('corrections', 'undo', '1', '--store', url)).code, 0);
      assert.equal((await run('corrections', 'undo', '1', '--store', url)).code, 1);
      const numbers = ['--open', '101.5', '--high', '103', '--low', '99', '--close', '102', '--volume', '7'];
      assert.equal((await run(...correct, ...numbers, '--reason', 'a whole bar')).code, 0);
      const [, whole] = JSON.parse((await run('corrections', '--json', '--store', url)).stdout);
      assert.deepEqual([whole.open, whole.high, whole.low, whole.close, whole.volume], [101.5, 103, 99, 102, 7]);
      assert.equal((await run('corrections', 'undo', '2', '--store', url)).code, 0);
      const file = join(folder, 'actions.csv');
      writeFileSync(
        file,
        'asset,day,ratio,from_asset,reason\nspiked,2024-04-01,1000,,"new, larger units"\ngood,2024-03-10,,holed,\n',
      );
      assert.match((await run('ingest', 'actions', file, '--store', url)).stdout, /2 actions entered/);
      const actions = JSON.parse((await run('actions', '--json', '--store', url)).stdout);
      assert.deepEqual(
        actions.map((each: Record<string, unknown>) => [
          each['asset'],
          each['day'],
          each['ratio'],
          each['fromAsset'],
          each['reason'],
        ]),
        [
          ['spiked', '2024-04-01', 1000, null, 'new, larger units'],
          ['good', '2024-03-10', 1, 'holed', ''],
        ],
      );
      writeFileSync(file, 'asset,day,ratio\nspiked,2024-04-01,1000\nspiked,2024-04-31,10\n');
      const wrong = await run('ingest', 'actions', file, '--store', url);
      assert.match(wrong.stderr, /actions\.csv:3: "2024-04-31" is not a day/);
      for (const [line, problem] of [
        ['spiked,2924-04-01,1000', /actions\.csv:2: the day cannot be right\n2924-04-01 has not begun/],
        ['spiked,2024-04-01,1', /actions\.csv:2: the ratio cannot be right\n1 changes nothing/],
      ] as const) {
        writeFileSync(file, `asset,day,ratio\n${line}\n`);
        assert.match((await run('ingest', 'actions', file, '--store', url)).stderr, problem);
      }
      const add = ['actions', 'add', '--asset', 'spiked', '--store', url];
      const future = await run(...add, '--day', '2924-04-01', '--ratio', '10');
      assert.deepEqual(
        [future.code, /^tidemark: --day: 2924-04-01 has not/.test(future.stderr)],
        [2, true],
        future.stderr,
      );
      assert.match((await run(...add, '--day', '2024-04-01', '--ratio', '1')).stderr, /--ratio: 1 changes nothing/);
      for (const { number } of actions)
        assert.equal((await run('actions', 'remove', String(number), '--store', url)).code, 0);
      assert.equal((await run('actions', 'remove', '99', '--store', url)).code, 1);
      assert.equal((await run('actions', '--store', url)).stdout, 'No actions.\n');
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
    const listed = stdout.split('\n').flatMap(line => /^\w+:\w+:(20[\d-]+) /.exec(line)?.[1] ?? []);
    assert.equal(listed.length, 40);
    assert.deepEqual(listed, listed.toSorted().reverse());
    assert.match(stdout, /\nspike:late:[\d-]+ +0\.3 /);
    assert.match(stdout, /\n… +21 more\n/);
  });

  it('of an asset without bars finds nothing', async () => {
    const { code, stdout } = await run('check', '--asset', 'silent', '--store', url);
    assert.equal(code, 0);
    assert.equal(stdout, '1 asset: no findings\n');
    const json = await run('check', '--asset', 'silent', '--json', '--store', url);
    assert.deepEqual(JSON.parse(json.stdout), { assets: 1, findings: [] });
  });
});
