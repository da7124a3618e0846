import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentOf, type PairHints } from './pairs.ts';

const NONE: PairHints = { pairs: false, headerTickers: [] };
const PAIRS: PairHints = { pairs: true, headerTickers: [] };
const VOLUMES: PairHints = { pairs: false, headerTickers: ['ATOM', 'USDT'] };

const CASES: readonly (readonly [string, PairHints, string, string])[] = [
  ['BTC', NONE, 'BTC', 'BTC'],
  ['BTC/USDT', NONE, 'BTC', 'BTC'],
  ['btc/usd', NONE, 'btc', 'btc'],
  ['BTC / USD', NONE, 'BTC', 'BTC'],
  ['BTC-USD', NONE, 'BTC-USD', 'BTC-USD'],
  ['BTC_USDC', NONE, 'BTC_USDC', 'BTC_USDC'],
  ['USDT_ETH', NONE, 'USDT_ETH', 'USDT_ETH'],
  ['USDT_ETH/USD', NONE, 'USDT_ETH', 'USDT_ETH'],
  ['USDC/USDT', NONE, 'USDC', 'USDC'],
  ['ETC/BTC', NONE, 'ETC/BTC', 'ETC'],
  ['ETC-BTC', NONE, 'ETC-BTC', 'ETC-BTC'],
  ['BTC/EUR', NONE, 'BTC/EUR', 'BTC'],
  ['WRAPPED-X', NONE, 'WRAPPED-X', 'WRAPPED-X'],
  ['BTC/USDT:USDT', NONE, 'BTC/USDT:USDT', 'BTC'],
  ['BTCUSDT', NONE, 'BTCUSDT', 'BTCUSDT'],
  ['TUSD', NONE, 'TUSD', 'TUSD'],
  ['ATOMUSDT', VOLUMES, 'ATOM', 'ATOM'],
  ['USDTATOM', VOLUMES, 'USDT/ATOM', 'USDT'],
  ['ATOM-USDT', VOLUMES, 'ATOM', 'ATOM'],
  ['atom_usdt', VOLUMES, 'atom', 'atom'],
  ['USDT_ETH', VOLUMES, 'USDT_ETH', 'USDT_ETH'],
  ['BTC_USDT', VOLUMES, 'BTC_USDT', 'BTC_USDT'],
  ['BTCUSDT', VOLUMES, 'BTCUSDT', 'BTCUSDT'],
  ['USDT', VOLUMES, 'USDT', 'USDT'],
  ['BTCUSDT', PAIRS, 'BTC', 'BTC'],
  ['BTCFDUSD', PAIRS, 'BTC', 'BTC'],
  ['BTC-USD', PAIRS, 'BTC', 'BTC'],
  ['BTC_USDC', PAIRS, 'BTC', 'BTC'],
  ['ETC-BTC', PAIRS, 'ETC/BTC', 'ETC'],
  ['ETCBTC', PAIRS, 'ETC/BTC', 'ETC'],
  ['BTC-28JUN24-USD', PAIRS, 'BTC-28JUN24-USD', 'BTC-28JUN24-USD'],
  ['USDT', PAIRS, 'USDT', 'USDT'],
  ['币安', PAIRS, '币安', '币安'],
];

for (const [text, hints, symbol, base] of CASES) {
  const known = hints === NONE ? '' : hints === PAIRS ? ' among pairs' : ' below Volume ATOM and Volume USDT';
  test(`${text}${known} belongs to ${symbol}, counted in ${base}`, () => {
    assert.deepEqual(instrumentOf(text, hints), { symbol, base });
  });
}
