import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchOf } from './bar-list.ts';
import { fiatSource } from './fiat-source.ts';
import type { AssetRef, Source, SourceItem } from './source.ts';

const BAR = { day: 20_000, open: 1, high: 1, low: 1, close: 1, volume: 1, line: 1 };

async function assetsOf(symbol: string): Promise<readonly AssetRef[]> {
  const source: Source = {
    name: 'csv',
    profiles: async function* () {},
    bars: async function* (): AsyncGenerator<SourceItem> {
      yield { kind: 'bars', batch: batchOf('eur.csv', [{ ...BAR, asset: { id: null, symbol } }]) };
    },
  };
  for await (const item of fiatSource(source).bars(async () => null, new AbortController().signal)) {
    if (item.kind === 'bars') return item.batch.assets;
  }
  throw new Error('no bars');
}

describe('a source of fiat currencies', () => {
  it('has assets of their type', async () => {
    assert.deepEqual(await assetsOf('EUR'), [{ id: null, symbol: 'EUR', type: 'fiat' }]);
  });

  for (const pair of ['USD/JPY', 'EUR/GBP', 'BTC/EUR']) {
    it(`refuses the pair ${pair}, whose prices are not in dollars`, async () => {
      await assert.rejects(assetsOf(pair), {
        name: 'SourceError',
        message: `--type fiat: ${pair} is a pair whose prices are not in dollars`,
        hint: /Invert a rate such as USD\/JPY/,
      });
    });
  }
});
