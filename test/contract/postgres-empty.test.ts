// A PostgreSQL database in which nothing has created a store yet.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl, postgresServer, runSql } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { batch, draft } from './fixtures.ts';

const url = await freshPostgresUrl();
const server = await ServerProcess.start('--store', url, '--workers', '1', '--open');
after(() => server.stop());

async function readiness(): Promise<string> {
  const { status } = (await (await fetch(`${server.url}/readyz`)).json()) as { status: string }; // see /v1/openapi.json
  return status;
}

async function schemas(at: string): Promise<number> {
  return (await runSql(at, "SELECT FROM pg_namespace WHERE nspname = 'tidemark'")).length;
}

it('stays empty for what only reads, servers included', async () => {
  await assert.rejects(openStore(url, { create: false }), { code: 'missing', hint: /tidemark ingest/ });
  assert.equal(await readiness(), 'loading');
  assert.equal(await schemas(url), 0);
});

it('is served as soon as a load has created the store', { timeout: 60_000 }, async () => {
  const store = await openStore(url);
  const [assetNumber] = await store.putAssets([draft('a')]);
  await store.putBars(batch([{ assetNumber: assetNumber!, day: 0, close: 1 }]));
  await recomputePending(store);
  await store.close();
  while ((await readiness()) !== 'ready') await wait(50);
});

it('is refused if its encoding lacks characters that names have', async () => {
  const { url: urlOf } = await postgresServer();
  await runSql(urlOf('postgres'), "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  await assert.rejects(openStore(urlOf('latin')), {
    code: 'not_a_store',
    message: /LATIN1/,
    hint: /ENCODING 'UTF8'/,
  });
  assert.equal(await schemas(urlOf('latin')), 0);
});
