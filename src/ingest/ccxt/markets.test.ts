import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseMarkets, type Market } from './markets.ts';

const market = (symbol: string, more: Partial<Market> = {}): Market => {
  const [base = '', quote = ''] = symbol.split('/');
  return { symbol, base, quote, spot: true, active: true, ...more };
};

describe('markets are chosen', () => {
  const cases: readonly (readonly [string, Market[], string[], string[] | undefined, string[], string[]?])[] = [
    [
      'by the quote',
      [market('BTC/USDT'), market('BTC/EUR'), market('ETH/USDT')],
      ['USDT'],
      undefined,
      ['BTC=BTC/USDT', 'ETH=ETH/USDT'],
    ],
    ['by the quote in any case', [market('BTC/USDT')], ['usdt'], undefined, ['BTC=BTC/USDT']],
    [
      'by the first quote that an asset has',
      [market('BTC/USDC'), market('BTC/USDT'), market('ETH/USDC')],
      ['USDT', 'USDC'],
      undefined,
      ['BTC=BTC/USDT', 'ETH=ETH/USDC'],
    ],
    [
      'by activity before quote',
      [market('BTC/USDT', { active: false }), market('BTC/USDC')],
      ['USDT', 'USDC'],
      undefined,
      ['BTC=BTC/USDC'],
    ],
    [
      'although the exchange does not say whether they trade',
      [market('BTC/USDT', { active: undefined })],
      ['USDT'],
      undefined,
      ['BTC=BTC/USDT'],
    ],
    [
      'although they trade no more, marked as such',
      [market('BTC/USDT', { active: false })],
      ['USDT'],
      undefined,
      ['BTC=BTC/USDT (ended)'],
    ],
    [
      'as assets of their own where the quote is not a dollar',
      [market('ETC/BTC'), market('ETC/USDT')],
      ['BTC', 'USDT'],
      undefined,
      ['ETC/BTC=ETC/BTC', 'ETC=ETC/USDT'],
    ],
    [
      'without derivatives',
      [market('BTC/USDT:USDT', { base: 'BTC', quote: 'USDT', spot: false })],
      ['USDT'],
      undefined,
      [],
    ],
    [
      'without leveraged tokens',
      ['BTC', 'BTC3L', 'BTC5S', 'BTCUP', 'BTCDOWN', 'BTCBULL', 'JUP', 'SYRUP', 'TEDDYBEAR'].map(base =>
        market(`${base}/USDT`),
      ),
      ['USDT'],
      undefined,
      ['BTC=BTC/USDT', 'JUP=JUP/USDT', 'SYRUP=SYRUP/USDT', 'TEDDYBEAR=TEDDYBEAR/USDT'],
    ],
    [
      'with a leveraged token that is named',
      [market('BTC/USDT'), market('BTCUP/USDT')],
      ['USDT'],
      ['btcup'],
      ['BTCUP=BTCUP/USDT'],
    ],
    ['by base', [market('BTC/USDT'), market('ETH/USDT')], ['USDT'], ['ETH', 'NOPE'], ['ETH=ETH/USDT'], ['NOPE']],
    [
      'by whole name, whatever the quotes',
      [market('BTC/USDT'), market('BTC/EUR')],
      ['USDT'],
      ['BTC/EUR'],
      ['BTC/EUR=BTC/EUR'],
    ],
    [
      'by whole name, but one for each asset',
      [market('BTC/USDC'), market('BTC/USDT')],
      ['USDT'],
      ['BTC', 'BTC/USDC'],
      ['BTC=BTC/USDT'],
    ],
  ];
  for (const [name, markets, quotes, symbols, expected, unknown = []] of cases) {
    it(name, () => {
      const chosen = chooseMarkets(markets, symbols === undefined ? { quotes } : { quotes, symbols });
      const told = chosen.markets.map(one => `${one.asset.symbol}=${one.symbol}${one.isActive ? '' : ' (ended)'}`);
      assert.deepEqual(told, expected);
      assert.deepEqual(chosen.unknown, unknown);
    });
  }
});
