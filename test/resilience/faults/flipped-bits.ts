// A SQLite store with several pages in every table, a load into it, and all that can be read from it.

import { hashOf } from '../../../src/domain/api-key.ts';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { type Store, StoreError } from '../../../src/store/store.ts';
import { type Bar, batch, DAY, draft, profile } from '../../contract/fixtures.ts';

const ASSETS = 150;
const DAYS = 120;
const KEYS = 80;
const OUTCOME = { error: null, read: 9, inserted: 5, replaced: 2, unchanged: 1, rejected: 2 } as const;

export async function fillAllTables(store: Store): Promise<void> {
  const assets = await store.putAssets(
    Array.from({ length: ASSETS }, (_, i) => draft(`asset-${i}`, { rank: i % 7 === 0 ? null : i, type: 'coin' })),
  );
  const closeOf = (asset: number, day: number) => 10 + asset + Math.sin(asset + day);
  const bars: Bar[] = assets.flatMap(assetNumber =>
    Array.from({ length: DAYS }, (_, day) => ({
      assetNumber,
      day,
      close: closeOf(assetNumber, day),
      volume: day,
    })).filter(
      // One asset in four has gaps.
      ({ day }) => assetNumber % 4 !== 0 || day % 5 !== 3,
    ),
  );
  await store.putBars(batch(bars));
  await store.putProfiles(
    assets
      .filter(assetNumber => assetNumber % 2 === 0)
      .map(assetNumber => ({ assetNumber, sourced: profile(`asset-${assetNumber}`) })),
  );
  await recomputePending(store);
  for (let i = 0; i < 60; i++) await store.publish((await store.currentSince(0)).columns!, []);
  await store.setDelisted(assets.slice(0, 10), true);
  await recomputePending(store);
  await store.putBars(batch(assets.slice(40, 90).map(assetNumber => ({ assetNumber, day: 7, close: 3 }))));

  for (let i = 0; i < 60; i++) {
    const load = await store.beginLoad(`csv prices-${i}.csv`);
    const reject = { where: `prices-${i}.csv:4`, reason: 'bad_price', detail: `close -${i}` };
    await store.addRejects(load, [reject, reject]);
    await store.updateLoad(load, { ...OUTCOME, state: 'done' });
  }
  for (let i = 0; i < KEYS; i++) {
    const id = `key_${i}`;
    await store.createKey({ id, hash: hashOf(id), tier: i % 2 ? 'pro' : 'free', name: `Key ${i}`, expires: null });
    await store.addUsage(DAY, [{ keyId: id, accepted: i + 1, refused: i }]);
  }
  await store.revokeKey('key_3');
  for (let i = 0; i < 60; i++) await store.heartbeat(`server-${i}`, 60_000);
}

/** A load, an asset that is renamed, an API key that is revoked, a use that is counted. */
export async function write(store: Store): Promise<void> {
  const assets = await store.assets();
  await store.putAssets(assets.slice(20, 60).map(asset => ({ ...asset, rank: 999 })));
  await store.putBars(batch(assets.map(({ assetNumber }) => ({ assetNumber, day: DAYS, close: assetNumber }))));
  await recomputePending(store);
  await store.revokeKey('key_4');
  await store.addUsage(DAY, [{ keyId: 'key_5', accepted: 10, refused: 0 }]);
}

/** By what is read: the answer, or the error. */
export type Answers = Readonly<Record<string, unknown>>;

export async function answersOf(store: Store): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const ask = async (name: string, read: () => Promise<unknown>) => {
    answers[name] = await read().catch(error => {
      if (error instanceof StoreError) return error;
      throw error;
    });
  };
  const numbers = Array.from({ length: ASSETS }, (_, i) => i + 1);
  await ask('assets', () => store.assets());
  await ask('changed assets', async () => (await store.assetsSince(0)).assets);
  await ask('profiles', () => Array.fromAsync(store.profiles()));
  for (const asset of numbers) {
    await ask(`profile of ${asset}`, () => store.profile(asset));
    await ask(`bars of ${asset}`, () => store.bars(asset, FIRST_DAY, LAST_DAY));
    await ask(`history of ${asset}`, async () => (await store.publishedCloses(asset, FIRST_DAY, LAST_DAY)).closes);
  }
  await ask('closes', () => store.closes(numbers, 400));
  await ask('recent closes', () => store.closes(numbers, 30));
  await ask('rows', async () => (await store.currentSince(0)).rows);
  await ask('columns', async () => (await store.currentSince(0)).columns);
  await ask('versions', () => Promise.all([store.version(), store.keysVersion()]));
  await ask('pending', () => store.pending());
  await ask('loads', () => store.loads(1000));
  for (let load = 1; load <= 60; load += 20) await ask(`rejects of ${load}`, () => store.rejects(load, 1000));
  await ask('API keys', () => store.keys());
  await ask('usage', () => store.usage(FIRST_DAY, LAST_DAY));
  await ask('usage of one day', () => store.addUsage(DAY, [{ keyId: 'key_7', accepted: 0, refused: 0 }]));
  await ask('last uses', () => store.lastUses());
  await ask('totals', () => store.totals());
  return answers;
}
