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
  ['BTC-USD', NONE, 'BTC', 'BTC'],
  ['BTC_USDC', NONE, 'BTC', 'BTC'],
  ['USDC/USDT', NONE, 'USDC', 'USDC'],
  ['ETC/BTC', NONE, 'ETC/BTC', 'ETC'],
  ['ETC-BTC', NONE, 'ETC/BTC', 'ETC'],
  ['BTC/EUR', NONE, 'BTC/EUR', 'BTC'],
  ['WRAPPED-X', NONE, 'WRAPPED-X', 'WRAPPED-X'],
  ['BTC/USDT:USDT', NONE, 'BTC/USDT:USDT', 'BTC'],
  ['BTCUSDT', NONE, 'BTCUSDT', 'BTCUSDT'],
  ['TUSD', NONE, 'TUSD', 'TUSD'],
  ['ATOMUSDT', VOLUMES, 'ATOM', 'ATOM'],
  ['USDTATOM', VOLUMES, 'USDT/ATOM', 'USDT'],
  ['BTCUSDT', VOLUMES, 'BTCUSDT', 'BTCUSDT'],
  ['USDT', VOLUMES, 'USDT', 'USDT'],
  ['BTCUSDT', PAIRS, 'BTC', 'BTC'],
  ['BTCFDUSD', PAIRS, 'BTC', 'BTC'],
  ['ETCBTC', PAIRS, 'ETC/BTC', 'ETC'],
  ['USDT', PAIRS, 'USDT', 'USDT'],
  ['币安', PAIRS, '币安', '币安'],
];

for (const [text, hints, symbol, base] of CASES) {
  const known = hints === NONE ? '' : hints === PAIRS ? ' among pairs' : ' below Volume ATOM and Volume USDT';
  test(`${text}${known} belongs to ${symbol}, counted in ${base}`, () => {
    assert.deepEqual(instrumentOf(text, hints), { symbol, base });
  });
}
