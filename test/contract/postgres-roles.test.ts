// The roles of docs/how-to/postgres.md, made by the statements of that page: what each can do, and what it cannot.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readPage, roleStatements } from '../../scripts/psql-session.ts';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { dayFromIso, dayOfMillis } from '../../src/domain/day.ts';
import { demoSource } from '../../src/ingest/demo/demo-source.ts';
import { load } from '../../src/ingest/pipeline.ts';
import { SourceRoutes } from '../../src/ingest/source-routes.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { DEMO_DAY } from '../support/demo-server.ts';
import { postgresServer, runSql } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { batch, DAY } from './fixtures.ts';

const LISTING = '/v1/crypto/ta-cur?limit=3';
const OPTIONAL = `${LISTING}&incl_cols=rsi14`;
const [TODAY, ASSETS] = [dayFromIso(DEMO_DAY)!, 20];

const ofTable = (name: string) => `DELETE FROM tidemark.${name}`;

describe('the roles of a PostgreSQL store', () => {
  const { create, grant } = roleStatements(readPage());
  let urls: Record<string, string>;
  let owner: Store;
  before(async () => {
    const server = await postgresServer();
    for (const statement of create) await runSql(server.url('postgres'), statement);
    const roles = create.flatMap(text => [...text.matchAll(/CREATE ROLE (\w+) LOGIN PASSWORD '(.*)'/g)]);
    urls = Object.fromEntries(
      roles.map(([, role = '', password = '']) => [
        role,
        Object.assign(new URL(server.url('tidemark')), { username: role, password }).href,
      ]),
    );
    owner = await openStore(urls['tidemark']!);
    const source = demoSource({ today: TODAY, assets: ASSETS });
    await load({ store: owner, source, today: TODAY, signal: new AbortController().signal });
    for (const statement of grant) await runSql(urls['tidemark']!, statement);
    await addSecondSource();
  });
  after(() => owner.close());

  /** The asset ALDM gets one, and a correction and an action, which all of the tables have rows for. */
  async function addSecondSource(): Promise<void> {
    const { assetNumber } = (await owner.assets()).find(({ symbol }) => symbol === 'ALDM')!;
    const day = TODAY - DAY;
    const [interval, reason] = ['1d', 'a test'] as const;
    const bars = batch([{ assetNumber, day, close: 5 }]);
    await SourceRoutes.put(owner, 'kraken', interval, bars, await owner.beginLoad('ccxt:kraken'));
    const prices = { open: null, high: null, low: null, close: 6, volume: null };
    await owner.addCorrection({ assetNumber, interval, period: TODAY - 1, ...prices, reason });
    await owner.addActions([{ assetNumber, day: TODAY - 100, ratio: 2, fromAsset: null, reason }]);
    await recomputePending(owner);
  }

  /** What is read of the sources, of findings and of facts. */
  const SOURCED = [
    '/v1/crypto/sources?symbol=ALDM',
    '/v1/crypto/bars?symbol=ALDM&source=kraken',
    '/v1/crypto/explain/ALDM/sma5',
    '/v1/crypto/findings',
    '/v1/crypto/actions',
    '/v1/crypto/ta-cur?incl_cols=quality&symbol=ALDM',
    `/v1/crypto/ta-cur?incl_cols=rank&as_of=${DEMO_DAY}&symbol=ALDM`,
    '/v1/crypto/ta-hist?symbol=ALDM&incl_cols=rank,supply,market_cap&limit=3',
  ];

  async function servesSources(get: (path: string) => Promise<Response>): Promise<void> {
    for (const path of SOURCED) {
      const { status, body } = await get(path).then(async answer => ({
        status: answer.status,
        body: await answer.text(),
      }));
      assert.equal(status, 200, `${path}: ${body}`);
      assert.match(body, /"result":\[\{|"inputs":\[\{/, path);
    }
  }

  const serve = (role: string, ...more: string[]) =>
    ServerProcess.start('--store', urls[role]!, '--workers', '1', ...more);

  async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    for (const giveUp = performance.now() + 20_000; !(await holds()); await wait(50)) {
      assert.ok(performance.now() < giveUp, what);
    }
  }

  it('include one that only reads: it serves what is published, and says what it cannot do', async () => {
    const server = await serve('tidemark_reader', '--open');
    try {
      assert.equal((await fetch(`${server.url}${LISTING}`)).status, 200);
      assert.equal((await fetch(`${server.url}/v1/crypto/ta-hist?symbol=ALDM&limit=3`)).status, 200);
      await servesSources(path => fetch(`${server.url}${path}`));
      const began = performance.now();
      const refused = await fetch(`${server.url}${OPTIONAL}`);
      assert.equal(refused.status, 503);
      assert.match(await refused.text(), /could not publish the optional columns; its log has the reason/);
      assert.ok(performance.now() - began < 15_000, 'at once, and not when a client would give up');
      await until('the log says why', () =>
        /optional columns.*permission denied for table coverage/s.test(server.stderr),
      );
      assert.match(server.stderr, /counting requests.*permission denied for table servers.*docs\/how-to\/postgres\.md/);
    } finally {
      await server.stop();
    }
    const reader = await openStore(urls['tidemark_reader']!);
    try {
      assert.ok((await reader.totals()).bars > 0);
      await assert.rejects(reader.beginLoad('csv'), { code: 'forbidden' });
      await assert.rejects(reader.deliveries(1), {
        code: 'forbidden',
        message: /permission denied for table deliveries/,
      });
    } finally {
      await reader.close();
    }
  });

  it('include one for servers: it counts, sends alerts and publishes optional columns, without owning a table', async () => {
    const [key, id] = [newApiKey(), 'key_pro'];
    await owner.createKey({ id, hash: hashOf(key), tier: 'pro', name: null, expires: null });
    await owner.createAlert({
      id: 'alert_1',
      name: 'all',
      query: 'limit=5',
      on: 'both',
      format: 'json',
      target: { url: 'http://127.0.0.1:9/', secret: 'secret' },
    });
    const server = await serve('tidemark_server');
    try {
      const get = (path: string) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': key } });
      assert.equal((await get(LISTING)).status, 200);
      await servesSources(get);
      const answer = await get(OPTIONAL);
      assert.equal(answer.status, 200, await answer.text());
      const day = dayOfMillis(Date.now())!;
      await until('its use is counted', async () =>
        (await owner.usage(day, day)).some(use => use.keyId === id && use.accepted >= 2),
      );
      await until('the alert is evaluated', async () => (await owner.alerts())[0]?.matching !== null);
      const [servers] = await runSql<{ count: string }>(urls['tidemark']!, 'SELECT count(*) FROM tidemark.servers');
      assert.equal(servers?.count, '1');
      assert.doesNotMatch(server.stderr, /denied|unreachable|failed/);
    } finally {
      await server.stop();
    }
    assert.deepEqual(await runSql(urls['tidemark']!, 'SELECT * FROM tidemark.servers'), []);
    const [meta] = await runSql<{ columns: string }>(urls['tidemark']!, 'SELECT columns FROM tidemark.meta');
    assert.match(meta!.columns, /rsi14/);
  });

  for (const role of ['tidemark_server', 'tidemark_reader']) {
    it(`let ${role} serve by the stored settings, and say that it cannot store others`, async () => {
      const server = await serve(role, '--open', '--price-rule', 'median', '--check-intervals', '1h');
      try {
        await until('the log says why', () =>
          /the settings of the checks cannot be stored.*table checks.*the price rule cannot be stored.*permission denied for table price_rules/s.test(
            server.stderr,
          ),
        );
        const answer = await fetch(`${server.url}/v1/crypto/sources?symbol=ALDM`);
        assert.equal(((await answer.json()) as { price_rule: string }).price_rule, 'priority');
      } finally {
        await server.stop();
      }
    });
  }

  it('let a server send the messages of alerts', async () => {
    const store = await openStore(urls['tidemark_server']!);
    try {
      const [alert] = await store.alerts();
      const { id, revision, matching } = alert!;
      const delivery = { id: 'delivery_1', createdAt: 1, entered: 1, left: 0, body: '{}' };
      assert.ok(await store.recordEvaluation({ alert: id, revision, matching: matching!, delivery }));
      assert.equal((await store.dueDelivery(id, 2))?.id, 'delivery_1');
      await store.recordAttempt('delivery_1', { state: 'delivered', at: 3, nextAt: null, status: 200, error: null });
      assert.equal((await store.deliveries(1))[0]?.state, 'delivered');
      await store.setActiveDays(9);
    } finally {
      await store.close();
    }
  });

  for (const statement of [
    'CREATE TABLE tidemark.mine ()',
    'ALTER TABLE tidemark.published ADD COLUMN mine integer',
    'DROP VIEW tidemark.ta_cur',
    'TRUNCATE tidemark.published',
    'DELETE FROM tidemark.bar_blocks',
    ...['sources', 'source_blocks', 'unmerged', 'price_rules', 'corrections', 'actions'].map(ofTable),
    ...['findings', 'acceptances', 'checks', 'fact_blocks'].map(ofTable),
    'UPDATE tidemark.assets SET rank = 1',
    "UPDATE tidemark.alerts SET url = 'http://example.com'",
    'UPDATE tidemark.meta SET layout = 1',
    'DELETE FROM tidemark.api_keys',
    "INSERT INTO tidemark.loads (source, started_at, state) VALUES ('x', now(), 'done')",
  ]) {
    it(`keep a server from this: ${statement}`, async () => {
      for (const role of ['tidemark_server', 'tidemark_reader']) {
        await assert.rejects(runSql(urls[role]!, statement), { code: '42501' }, role);
      }
    });
  }

  it('let an older store get its columns from the owner, and a server says so meanwhile', async () => {
    await runSql(urls['tidemark']!, 'ALTER TABLE tidemark.published DROP COLUMN state_1');
    const server = await openStore(urls['tidemark_server']!);
    try {
      await assert.rejects(server.publish('state_1', []), {
        code: 'forbidden',
        message: /lacks the columns state_1/,
        hint: /tidemark status/,
      });
      await (await openStore(urls['tidemark']!)).close();
      await server.publish('state_1', []);
    } finally {
      await server.close();
    }
  });
});
