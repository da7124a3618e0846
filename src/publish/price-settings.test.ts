import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { priceRulesOf } from './price-settings.ts';

const settings = (given: Readonly<Record<string, string>>) => ({
  ...{ 'price-rule': 'priority', 'source-order': '', 'asset-price-rules': '', ...given },
  given: new Set(Object.keys(given)),
});

describe('the price rules of the settings', () => {
  it('are those of the store if none is set', () => assert.equal(priceRulesOf(settings({})), null));

  for (const [given, ofAll, ofAssets] of [
    [{ 'price-rule': 'median' }, { kind: 'median', order: [] }, {}],
    [{ 'source-order': 'kraken,csv,kraken' }, { kind: 'priority', order: ['kraken', 'csv'] }, {}],
    [
      { 'source-order': 'csv', 'asset-price-rules': 'BTC-bitcoin: median; a-b:priority kraken,binance ;' },
      { kind: 'priority', order: ['csv'] },
      { 'btc-bitcoin': { kind: 'median', order: ['csv'] }, 'a-b': { kind: 'priority', order: ['kraken', 'binance'] } },
    ],
  ] as const) {
    it(`are read: ${JSON.stringify(given)}`, () => {
      const rules = priceRulesOf(settings(given))!;
      assert.deepEqual([rules.ofAll, Object.fromEntries(rules.ofAssets)], [ofAll, ofAssets]);
    });
  }

  for (const [text, message] of [
    ['btc-bitcoin', "'btc-bitcoin' is not the price rule of an asset"],
    ['btc-bitcoin: mean', "'btc-bitcoin: mean' is not the price rule of an asset"],
    ['a: priority Kraken', "'Kraken' in 'a: priority Kraken' is not the name of a source"],
  ] as const) {
    it(`refuse ${text}`, () => {
      assert.throws(() => priceRulesOf(settings({ 'asset-price-rules': text })), { name: 'PriceRuleError', message });
    });
  }
});
