// A worker of a Citus cluster that cannot be reached, or hangs: what the other workers hold is read as before.

import assert from 'node:assert/strict';
import { after, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { AssetNumber } from '../../../src/domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { openStore } from '../../../src/store/open.ts';
import { type Store, StoreError } from '../../../src/store/store.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { runSql } from '../../support/postgres.ts';
import { Cable } from '../../support/postgres-cable.ts';
import { dropCitusDatabases, freshCitusUrl, NO_CITUS } from '../../support/postgres-citus.ts';

if (NO_CITUS === null) after(dropCitusDatabases);

interface Cluster {
  readonly store: Store;
  readonly assetNumbers: readonly AssetNumber[];
  /** Those on the worker that the test breaks, and its connection. */
  readonly lost: ReadonlySet<AssetNumber>;
  readonly cable: Cable;
}

/** A store of 40 assets on workers, one of which the test can break. */
async function cluster(t: TestContext): Promise<Cluster> {
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
  const assetNumbers = await store.putAssets(Array.from({ length: 40 }, (_, i) => draft(`asset-${i}`)));
  await store.putBars(batch(assetNumbers.map(assetNumber => ({ assetNumber, day: 0, close: assetNumber }))));
  await recomputePending(store);
  const ports = await runSql<{ key: number; port: number }>(
    url,
    `SELECT key, nodeport AS port FROM tidemark.assets, citus_shards
     WHERE table_name = 'tidemark.bar_blocks'::regclass
       AND shardid = get_shard_id_for_distribution_column('tidemark.bar_blocks', key)`,
  );
  const down = Math.max(...ports.map(({ port }) => port));
  const lost = new Set(ports.filter(({ port }) => port === down).map(({ key }) => key));
  assert.ok(lost.size > 0 && lost.size < assetNumbers.length, `${lost.size} assets are on that worker`);
  return { store, assetNumbers, lost, cable: cables.find(cable => cable.port === down)! };
}

/** The history of every asset, all at once; null if its node cannot be reached. */
function histories({ store, assetNumbers }: Cluster): Promise<(number[] | null)[]> {
  return Promise.all(
    assetNumbers.map(async assetNumber => {
      try {
        return [...((await store.publishedCloses(assetNumber, FIRST_DAY, LAST_DAY)).closes?.close ?? [])];
      } catch (error) {
        assert.ok(error instanceof StoreError && error.code === 'node_unreachable', String(error));
        return null;
      }
    }),
  );
}

for (const [what, fault] of [
  ['is down', (cable: Cable) => cable.close()],
  ['hangs', (cable: Cable) => cable.freeze()],
] as const) {
  it(`a worker that ${what} costs the histories of its own assets only`, { skip: NO_CITUS ?? false }, async t => {
    const all = await cluster(t);
    const { store, assetNumbers, lost, cable } = all;
    assert.deepEqual(
      await histories(all),
      assetNumbers.map(assetNumber => [assetNumber]),
    );
    fault(cable);
    const left = assetNumbers.map(assetNumber => (lost.has(assetNumber) ? null : [assetNumber]));
    for (let round = 0; round < 3; round++) assert.deepEqual(await histories(all), left);
    assert.ok((await store.version()) > 0);
    if (what !== 'hangs') return;
    await assert.rejects(store.closes(assetNumbers, 1), { code: 'node_unreachable' });
    assert.deepEqual(await histories(all), left);
    cable.thaw();
    for (const giveUp = performance.now() + 20_000; (await histories(all)).includes(null); await wait(50)) {
      assert.ok(performance.now() < giveUp, 'the worker is back');
    }
  });
}
