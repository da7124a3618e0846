// A worker of a Citus cluster that cannot be reached: what the other workers hold is read as before.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { openStore } from '../../../src/store/open.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { runSql } from '../../support/postgres.ts';
import { Cable } from '../../support/postgres-cable.ts';
import { dropCitusDatabases, freshCitusUrl, NO_CITUS } from '../../support/postgres-citus.ts';

if (NO_CITUS === null) after(dropCitusDatabases);

it('a worker that is down costs the histories of its own assets only', { skip: NO_CITUS ?? false }, async t => {
  const cables: Cable[] = [];
  t.after(() => {
    for (const cable of cables) cable.close();
  });
  const url = await freshCitusUrl(async node => {
    const cable = new Cable(node);
    cables.push(cable);
    return { host: '127.0.0.1', port: await cable.open() };
  });
  const store = await openStore(url);
  t.after(() => store.close());
  const keys = await store.putAssets(Array.from({ length: 40 }, (_, i) => draft(`asset-${i}`)));
  await store.putBars(batch(keys.map(key => ({ assetNumber: key, day: 0, close: key }))));
  await recomputePending(store);
  const ports = await runSql<{ key: number; port: number }>(
    url,
    `SELECT key, nodeport AS port FROM tidemark.assets, citus_shards
     WHERE table_name = 'tidemark.bar_blocks'::regclass
       AND shardid = get_shard_id_for_distribution_column('tidemark.bar_blocks', key)`,
  );
  const down = Math.max(...ports.map(({ port }) => port));
  const lost = new Set(ports.filter(({ port }) => port === down).map(({ key }) => key));
  assert.ok(lost.size > 0 && lost.size < keys.length, `${lost.size} of ${keys.length} are on that worker`);

  cables.find(cable => cable.port === down)?.close();
  for (const key of keys) {
    const history = store.publishedCloses(key, FIRST_DAY, LAST_DAY);
    if (lost.has(key)) await assert.rejects(history, { code: 'node_unreachable' });
    else assert.deepEqual([...((await history).closes?.close ?? [])], [key]);
  }
  assert.ok((await store.version()) > 0);
});
