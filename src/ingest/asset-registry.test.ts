import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { AssetRegistry } from './asset-registry.ts';

const ticker = (symbol: string) => ({ id: null, symbol });

describe('the registry of assets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-registry-'));
  let store: Store;
  let file = 0;

  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, `${file++}.db`)}`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('creates thousands of unknown tickers at once, each with a key of its own', async () => {
    const refs = Array.from({ length: 4500 }, (_, i) => ticker(`S${i}`));
    const assetNumbers = await (await AssetRegistry.load(store)).numbersOf([...refs, ...refs]);
    assert.equal(new Set(assetNumbers).size, 4500);
    assert.deepEqual(assetNumbers.slice(0, 4500), assetNumbers.slice(4500));
    const stored = new Map((await store.assets()).map(asset => [asset.symbol, asset.assetNumber]));
    assert.deepEqual(
      assetNumbers.slice(0, 4500),
      refs.map(ref => stored.get(ref.symbol)),
    );
  });

  it('takes tickers that differ in case for one, also when both are new', async () => {
    const registry = await AssetRegistry.load(store);
    const [lower, upper] = await registry.numbersOf([ticker('abc'), ticker('ABC')]);
    assert.equal(lower, upper);
    assert.equal((await store.assets()).length, 1);
  });

  it('tells tickers apart that have the same letters and digits', async () => {
    const assetNumbers = await (await AssetRegistry.load(store)).numbersOf(['A.B', 'A-B', 'A_B'].map(ticker));
    assert.equal(new Set(assetNumbers).size, 3);
    assert.deepEqual(
      (await store.assets()).map(asset => asset.id),
      ['a-b-a-b', 'a-b-a-b-2', 'a-b-a-b-3'],
    );
  });

  it('keeps the tickers of fiat currencies apart from those of assets, in whichever order they come', async () => {
    const fiat = { ...ticker('EUR'), type: 'fiat' } as const;
    const registry = await AssetRegistry.load(store);
    const [money] = await registry.numbersOf([fiat]);
    const [token] = await registry.numbersOf([ticker('EUR')]);
    assert.notEqual(money, token);
    const again = await AssetRegistry.load(store);
    assert.deepEqual([...(await again.numbersOf([fiat])), ...(await again.numbersOf([ticker('eur')]))], [money, token]);
    await again.list([{ id: 'eur-token', symbol: 'EUR', name: 'Token', rank: 9, type: 'token', supply: null }]);
    const stored = new Map((await store.assets()).map(asset => [asset.assetNumber, asset]));
    assert.deepEqual(
      [money, token].map(each => [stored.get(each!)!.id, stored.get(each!)!.type, stored.get(each!)!.provisional]),
      [
        ['eur-eur', 'fiat', false],
        ['eur-token', 'token', false],
      ],
    );
  });

  it('means the best-ranked of several assets with one ticker', async () => {
    const registry = await AssetRegistry.load(store);
    const listed = (id: string, rank: number | null) => ({
      id,
      symbol: 'ABC',
      name: id,
      rank,
      type: null,
      supply: null,
    });
    await registry.list([listed('abc-none', null), listed('abc-second', 2), listed('abc-first', 1)]);
    assert.equal(registry.find(ticker('abc'))?.id, 'abc-first');
    assert.equal((await AssetRegistry.load(store)).find(ticker('abc'))?.id, 'abc-first');
  });
});
