import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentOf, mayBePair, type PairHints } from './pairs.ts';

const NONE: PairHints = { pairs: undefined, headerTickers: [] };
const PAIRS: PairHints = { pairs: true, headerTickers: [] };
const TICKERS: PairHints = { pairs: false, headerTickers: [] };
const VOLUMES: PairHints = { pairs: undefined, headerTickers: ['ATOM', 'USDT'] };

/** The text, what is known, the symbol of the asset, the ticker of its volumes, and the quote if the pair is a guess. */
const CASES: readonly (readonly [string, PairHints, string, string, string?])[] = [
  ['BTC', NONE, 'BTC', 'BTC'],
  ['BTC/USDT', NONE, 'BTC', 'BTC'],
  ['btc/usd', NONE, 'btc', 'btc'],
  ['BTC / USD', NONE, 'BTC', 'BTC'],
  ['BTC-USD', NONE, 'BTC', 'BTC', 'USD'],
  ['BTC_USDC', NONE, 'BTC', 'BTC', 'USDC'],
  ['USDT_ETH', NONE, 'USDT_ETH', 'USDT_ETH'],
  ['USDT_ETH/USD', NONE, 'USDT_ETH', 'USDT_ETH'],
  ['USDC/USDT', NONE, 'USDC', 'USDC'],
  ['ETC/BTC', NONE, 'ETC/BTC', 'ETC'],
  ['ETC-BTC', NONE, 'ETC/BTC', 'ETC', 'BTC'],
  ['BTC/EUR', NONE, 'BTC/EUR', 'BTC'],
  ['WRAPPED-X', NONE, 'WRAPPED-X', 'WRAPPED-X'],
  ['BTC/USDT:USDT', NONE, 'BTC/USDT:USDT', 'BTC'],
  ['BTCUSDT', NONE, 'BTC', 'BTC', 'USDT'],
  ['btcusdt', NONE, 'btc', 'btc', 'usdt'],
  ['1INCHUSD', NONE, '1INCH', '1INCH', 'USD'],
  ['ETHUSD', NONE, 'ETH', 'ETH', 'USD'],
  ['XTZUSD', NONE, 'XTZ', 'XTZ', 'USD'],
  ['ARBUSD', NONE, 'ARB', 'ARB', 'USD'],
  ['LTCBUSD', NONE, 'LTC', 'LTC', 'BUSD'],
  ['XYZFDUSD', NONE, 'XYZ', 'XYZ', 'FDUSD'],
  ['ETHBTC', NONE, 'ETH/BTC', 'ETH', 'BTC'],
  ['BTCEUR', NONE, 'BTC/EUR', 'BTC', 'EUR'],
  ['TUSD', NONE, 'TUSD', 'TUSD'],
  ['PYUSD', NONE, 'PYUSD', 'PYUSD'],
  ['CRVUSD', NONE, 'CRVUSD', 'CRVUSD'],
  ['CUSDT', NONE, 'CUSDT', 'CUSDT'],
  ['STETH', NONE, 'STETH', 'STETH'],
  ['RENBTC', NONE, 'RENBTC', 'RENBTC'],
  ['WBTC', NONE, 'WBTC', 'WBTC'],
  ['BTC-USD', TICKERS, 'BTC-USD', 'BTC-USD'],
  ['ETHBTC', TICKERS, 'ETHBTC', 'ETHBTC'],
  ['BTC/USD', TICKERS, 'BTC', 'BTC'],
  ['ATOMUSDT', VOLUMES, 'ATOM', 'ATOM'],
  ['USDTATOM', VOLUMES, 'USDT/ATOM', 'USDT'],
  ['ATOM-USDT', VOLUMES, 'ATOM', 'ATOM'],
  ['atom_usdt', VOLUMES, 'atom', 'atom'],
  ['USDT_ETH', VOLUMES, 'USDT_ETH', 'USDT_ETH'],
  ['BTC_USDT', VOLUMES, 'BTC', 'BTC', 'USDT'],
  ['USDT', VOLUMES, 'USDT', 'USDT'],
  ['BTCUSDT', PAIRS, 'BTC', 'BTC'],
  ['BTCFDUSD', PAIRS, 'BTC', 'BTC'],
  ['BTC-USD', PAIRS, 'BTC', 'BTC'],
  ['BTC_USDC', PAIRS, 'BTC', 'BTC'],
  ['ETC-BTC', PAIRS, 'ETC/BTC', 'ETC'],
  ['ETHUSD', PAIRS, 'ETH', 'ETH'],
  ['BNBBUSD', PAIRS, 'BNB', 'BNB'],
  ['ETCBTC', PAIRS, 'ETC/BTC', 'ETC'],
  ['BTC-28JUN24-USD', PAIRS, 'BTC-28JUN24-USD', 'BTC-28JUN24-USD'],
  ['USDT', PAIRS, 'USDT', 'USDT'],
  ['币安', PAIRS, '币安', '币安'],
];

const KNOWN = new Map([
  [NONE, ''],
  [PAIRS, ' among pairs'],
  [TICKERS, ' among tickers'],
  [VOLUMES, ' below Volume ATOM and Volume USDT'],
]);

for (const [text, hints, symbol, base, guessedQuote = null] of CASES) {
  test(`${text}${KNOWN.get(hints)} belongs to ${symbol}, counted in ${base}`, () => {
    assert.deepEqual(instrumentOf(text, hints), { symbol, base, guessedQuote });
  });
}

test('tickers that may be pairs after all are told from those that are not', () => {
  assert.deepEqual(['RENBTC', 'PEPEETH', 'BTC', 'WBTC', 'EURC', 'A B'].map(mayBePair), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
