import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AssetNumber } from '../domain/asset.ts';
import { KnownSpans } from './known-spans.ts';

const [A, B, C] = [1, 2, 3] as AssetNumber[] as [AssetNumber, AssetNumber, AssetNumber];

/** Asset 3 has no bars. The first period of an asset is its number, the last one the version. */
function series(store: { version: number }) {
  const asked: (readonly AssetNumber[] | undefined)[] = [];
  const publishedSpans = async (assets?: readonly AssetNumber[]) => {
    asked.push(assets);
    const found = (assets ?? []).filter(asset => asset !== C).sort((a, b) => a - b);
    const last = Int32Array.from(found, () => store.version);
    return { version: store.version, assetNumber: Uint32Array.from(found), first: Int32Array.from(found), last };
  };
  return { asked, publishedSpans };
}

it('spans are read of the requested assets alone, once per publication', async () => {
  const store = { version: 7 };
  const known = new KnownSpans();
  const read = series(store);
  const { version, spans } = await known.of('1h', read, [B, C], 7);
  assert.equal(version, 7);
  assert.deepEqual([spans.get(B), spans.get(C)], [{ first: 2, last: 7 }, null]);
  await known.of('1h', read, [C, B], 7);
  await known.of('1h', read, [A, B], 7);
  assert.deepEqual(read.asked, [[B, C], [A]]);
});

it('spans of several assets are of one version, also if another one was published meanwhile', async () => {
  const store = { version: 7 };
  const known = new KnownSpans();
  const read = series(store);
  await known.of('1h', read, [A], 7);
  store.version = 8;
  const { version, spans } = await known.of('1h', read, [A, B], 7);
  assert.equal(version, 8);
  assert.deepEqual(
    [spans.get(A), spans.get(B)],
    [
      { first: 1, last: 8 },
      { first: 2, last: 8 },
    ],
  );
  assert.deepEqual(read.asked, [[A], [B], [A]]);
});

it('spans are read anew without a wanted version', async () => {
  const store = { version: 7 };
  const known = new KnownSpans();
  const read = series(store);
  await known.of('1m', read, [A], undefined);
  store.version = 8;
  assert.deepEqual((await known.of('1m', read, [A], undefined)).spans.get(A), { first: 1, last: 8 });
});
