import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AssetNumber } from '../domain/asset.ts';
import { barColumns } from '../domain/bar.ts';
import type { DailyCloses } from '../store/store.ts';
import { QuoteCloses } from './quote-closes.ts';
import { SettledCloses } from './quoted-series.ts';

const ASSET = 1 as AssetNumber;

/** The closes of one asset, of consecutive days up to one, of which the store has more from `first` on. */
function closesUpTo(last: number, close: readonly number[], first = last - close.length + 1): DailyCloses {
  return {
    starts: Uint32Array.of(0, close.length),
    close: Float64Array.from(close),
    firstDay: Int32Array.of(first),
    lastDay: Int32Array.of(last),
  };
}

/** In the quote; `bars` counts how often the bars of an asset were read one by one. */
async function converted(closes: DailyCloses, quote: Readonly<Record<number, number>>) {
  let bars = 0;
  const series = {
    closes: async () => closes,
    bars: async () => {
      bars++;
      return barColumns(0);
    },
  };
  const day = Int32Array.from(Object.keys(quote), Number);
  const ofQuote = new QuoteCloses('1d', { day, close: Float64Array.from(Object.values(quote)) });
  const { close, firstDay, lastDay } = await new SettledCloses(series, ofQuote).closes([ASSET], 10);
  return { close: [...close], first: firstDay[0], last: lastDay[0], bars };
}

describe('the closes of many assets in a quote', () => {
  it('begin with the quote if the asset is older', async () => {
    const found = await converted(closesUpTo(14, [10, 12, 14, 16, 18]), { 12: 2, 13: 4, 14: 8 });
    assert.deepEqual(found, { close: [7, 4, 2.25], first: 12, last: 14, bars: 0 });
  });

  it('begin with the asset if the quote is older', async () => {
    const found = await converted(closesUpTo(14, [16, 18]), { 11: 1, 12: 2, 13: 4, 14: 8 });
    assert.deepEqual(found, { close: [4, 2.25], first: 13, last: 14, bars: 0 });
  });

  it('have the first day of the asset in the quote, also if older closes were not read', async () => {
    const quote = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [5 + i, 2]));
    assert.deepEqual(await converted(closesUpTo(14, [16, 18], 9), quote), {
      close: [8, 9],
      first: 9,
      last: 14,
      bars: 0,
    });
    assert.deepEqual(await converted(closesUpTo(14, [16, 18], 1), quote), {
      close: [8, 9],
      first: 5,
      last: 14,
      bars: 0,
    });
  });

  it('are nothing before the first close of the quote', async () => {
    const { close, bars } = await converted(closesUpTo(14, [16, 18]), { 15: 2 });
    assert.deepEqual([close, bars], [[], 0]);
  });

  it('are read one by one if the quote has a gap of more than a week between them', async () => {
    const closes = closesUpTo(
      25,
      Array.from({ length: 16 }, () => 4),
    );
    assert.equal((await converted(closes, { 10: 2, 25: 2 })).bars, 1);
    assert.equal((await converted(closes, { 10: 2, 17: 2, 25: 2 })).bars, 0);
  });
});
