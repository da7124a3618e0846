// Random walks with the volatility of digital assets, the same on every run.

import type { CloseBatch } from '../../src/indicators/engine.ts';

export function randomWalks(assets: number, days: number): CloseBatch {
  const closes = new Float64Array(assets * days);
  const starts = new Uint32Array(assets + 1);
  let state = 42;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let asset = 0; asset < assets; asset++) {
    starts[asset + 1] = (asset + 1) * days;
    let price = 10 ** (uniform() * 8 - 4);
    for (let day = 0; day < days; day++) {
      price *= Math.exp((uniform() + uniform() + uniform() - 1.5) * 0.08);
      closes[asset * days + day] = price;
    }
  }
  return { closes, starts };
}
