// The closes of many assets are read a few at a time, so that other requests have their turn in between.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { Store } from '../../src/store/store.ts';
import { batch, draft } from '../contract/fixtures.ts';
import { TestService } from '../support/service.ts';

const ASSETS = 25;
const DAYS = 5;
const TICKERS = Array.from({ length: ASSETS }, (_, i) => `A${i}`);

let service: TestService;
/** Assets per reading, and what is to happen after one. */
const read: number[] = [];
let afterwards: () => Promise<unknown> = async () => {};

const load = async (store: Store, day: number) => {
  const assets = await store.assets();
  await store.putBars(batch(assets.map(({ assetNumber }) => ({ assetNumber, day, close: 100 + day }))));
  await recomputePending(store);
};

before(async () => {
  service = await TestService.start();
  const { store } = service;
  await store.putAssets(TICKERS.map(ticker => draft(ticker.toLowerCase())));
  for (let day = 0; day < DAYS; day++) await load(store, day);
  await service.refresh();
  const { series } = store;
  const watched: Store['series'] = interval => {
    const own = series(interval);
    const closes: typeof own.closes = async (...asked) => {
      read.push(asked[0].length);
      const found = await own.closes(...asked);
      const then = afterwards;
      afterwards = async () => {};
      await then();
      return found;
    };
    return { ...own, closes };
  };
  Object.assign(store, { series: watched });
});
after(() => service.close());

async function closes(days: number): Promise<number[][]> {
  const answer = await service.ask(`/v1/crypto/closes?symbol=${TICKERS.join()}&days=${days}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ result: { closes: number[] }[] }>().result.map(row => row.closes);
}

it('ten assets are read at a time', async () => {
  read.length = 0;
  assert.deepEqual(await closes(2), Array(ASSETS).fill([103, 104]));
  assert.deepEqual(read, [10, 10, 5]);
});

it('all are read again together if there is a publication meanwhile', async () => {
  read.length = 0;
  afterwards = () => load(service.store, DAYS);
  assert.deepEqual(await closes(3), Array(ASSETS).fill([103, 104, 105]));
  assert.deepEqual(read, [10, 10, 5, ASSETS]);
});
