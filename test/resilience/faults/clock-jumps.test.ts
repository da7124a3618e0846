// Somebody sets the clock of a server's machine, forwards and back: days, quotas, expiry, scheduled loads and new data go on.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Day, dayOfMillis, FIRST_DAY, isoFromDay, LAST_DAY } from '../../../src/domain/day.ts';
import { trial } from './findings.ts';
import { assertWhole, run, withStore } from './loading.ts';
import { WatchedServer } from './watched-server.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 20_000;

describe('a server whose clock jumps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-clock-'));
  const [clock, prices, url] = [
    join(folder, 'clock'),
    join(folder, 'prices.csv'),
    `sqlite:${join(folder, 'store.db')}`,
  ];
  after(() => rmSync(folder, { recursive: true }));

  const jump = async (millis: number) => {
    writeFileSync(clock, String(millis));
    // Until the processes have seen it.
    await wait(100);
  };
  const runsDone = () =>
    withStore(url, async store => (await store.loads(1000)).filter(each => each.state === 'done').length);
  const until = async (what: string, holds: () => Promise<boolean>) => {
    const giveUp = performance.now() + TIMEOUT_MS;
    while (!(await holds())) {
      assert.ok(performance.now() < giveUp, `it did not come: ${what}`);
      await wait(50);
    }
  };

  it('keeps its days, its quotas and its pace', t =>
    trial(t, { fault: 'clock set forwards and back', rounds: 4 }, () => setClock(t)));

  async function setClock(t: TestContext): Promise<string> {
    writeFileSync(prices, 'symbol,day,close\nAAA,2024-01-01,1\n');
    await run('ingest', 'csv', prices, '--store', url);
    const today = dayOfMillis(Date.now()) ?? assert.fail('the clock of this machine is out of range');
    const create = async (...flags: string[]) =>
      JSON.parse((await run('keys', 'create', '--json', '--store', url, ...flags)).stdout).key as string;
    const tiers = 'small: rate=1000 burst=1000 quota=5';
    const [small, expiring] = await Promise.all([
      create('--tier', 'small', '--tiers', tiers),
      create(
        '--tier',
        'pro',
        '--expires',
        isoFromDay(today).replace(/^\d{4}/, year => String(Number(year) + 1)),
      ),
    ]);

    const keys = await withStore(url, store => store.keys());
    await jump(0);
    const [options, file] = [process.env['NODE_OPTIONS'], process.env['TIDEMARK_TEST_CLOCK']];
    process.env['NODE_OPTIONS'] =
      `--import ${pathToFileURL(join(import.meta.dirname, '../../support/shifted-clock.ts'))}`;
    process.env['TIDEMARK_TEST_CLOCK'] = clock;
    const server = await WatchedServer.start(t, url, '--tiers', tiers, '--schedule', `1s csv ${prices}`);
    Object.assign(process.env, { NODE_OPTIONS: options ?? '', TIDEMARK_TEST_CLOCK: file ?? clock });
    const FIRST = ['AAA 2024-01-01 1'];
    await server.shows(FIRST);
    const status = async (key: string) =>
      (await fetch(`${server.url}/v1/crypto/ta-cur`, { headers: { 'X-API-Key': key } })).status;

    const day = [200, 200, 200, 200, 200, 429];
    for (const expected of day) assert.equal(await status(small), expected);
    await jump(DAY_MS);
    assert.equal(await status(small), 200, 'a new day has a new quota');
    await jump(0);
    assert.equal(await status(small), 429, 'the used-up quota of today stays used up');

    assert.equal(await status(expiring), 200);
    await jump(400 * DAY_MS);
    assert.equal(await status(expiring), 401, 'after its last day');
    const before = await runsDone();
    await until('a scheduled load of the future', async () => (await runsDone()) > before);
    await jump(-10 * DAY_MS);
    assert.equal(await status(expiring), 200, 'before its last day again');
    const later = await runsDone();
    await until('a scheduled load after that', async () => (await runsDone()) > later);

    const SECOND = ['AAA 2024-01-02 2'];
    writeFileSync(prices, 'symbol,day,close\nAAA,2024-01-02,2\n');
    await server.shows(SECOND);
    await server.stop(FIRST, SECOND);
    await withStore(url, async store => {
      await assertWhole(store);
      const [asset] = await store.assets();
      const { day, close } = await store.bars(asset!.assetNumber, FIRST_DAY, LAST_DAY);
      assert.deepEqual(
        [...day].map(each => isoFromDay(each as Day)),
        ['2024-01-01', '2024-01-02'],
      ); // days of the domain
      assert.deepEqual([...close], [1, 2]);
      const [watching] = (await store.keys()).filter(key => !keys.some(({ id }) => id === key.id));
      assert.deepEqual(await store.keys(), [...keys, watching]);
    });
    return `${server.asked} answers`;
  }
});
