import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atr, beta, change, drawdown, ema, meanTurnover, rsi, sma, stochastic } from './indicators.ts';
import { rowNeeds } from './row-needs.ts';

const CLOSES = [change(365), sma(365)];
const NOTHING = { closes: 0, bars: 0, seed: 0, benchmark: 0, gap: 0, whole: false };
const COLUMNS = [...CLOSES, meanTurnover(30), ema(200), drawdown(365), ...beta(90)];

describe('what a row reads', () => {
  it('is what the windows of its columns need', () => {
    assert.deepEqual(rowNeeds(CLOSES), { ...NOTHING, closes: 366 });
    assert.deepEqual(rowNeeds(COLUMNS), {
      ...NOTHING,
      ...{ closes: 366, bars: 30, seed: 200, benchmark: 91, gap: 30 },
    });
  });

  for (const [what, columns, changed] of [
    ['a longer window', [drawdown(730)], { closes: 730 }],
    ['a change, which needs one close more', [change(500)], { closes: 501 }],
    ['a longer recursion, which its state replaces', [ema(400)], { seed: 400 }],
    ['the seed of a recursion of moves', [rsi(300)], { seed: 301 }],
    ['highs and lows of a window', [...stochastic(60)], { bars: 62, gap: 62 }],
    [
      'volumes, which make the closes of their days needed too',
      [meanTurnover(500)],
      { bars: 500, closes: 501, gap: 500 },
    ],
    ['highs and lows of a recursion, which has its state', [atr(250)], { seed: 251 }],
    ['a longer comparison with the benchmark', [...beta(120)], { benchmark: 121 }],
    ['a shorter window: nothing more', [sma(3)], {}],
  ] as const) {
    it(`follows ${what}`, () => {
      assert.deepEqual(rowNeeds([...COLUMNS, ...columns]), { ...rowNeeds(COLUMNS), ...changed });
    });
  }
});
