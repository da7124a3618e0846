// Series of closes that are hard to compute with, each kind for a reason.

import fc from 'fast-check';

const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** A small generator of doubles in [0, 1) for a series from one seed (mulberry32). */
export function uniform(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function nextDouble(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return view.getFloat64(0);
}

type Generate = (length: number, random: () => number) => number[];

function walk(start: number, step: number): Generate {
  return (length, random) => {
    let price = start;
    return Array.from({ length }, () => (price *= Math.exp((random() - 0.5) * step)));
  };
}

export const SERIES_KINDS: Readonly<Record<string, Generate>> = {
  'a random walk': walk(100, 0.1),
  'a wild random walk': walk(1, 1.5),
  'a tiny price': walk(2e-12, 0.2),
  'a huge price': walk(5e11, 0.2),
  'nearly flat: 1e9 with noise of 1e-3': (length, random) =>
    Array.from({ length }, () => 1e9 + (random() - 0.5) * 2e-3),
  'a stablecoin quoted to four decimals': (length, random) =>
    Array.from({ length }, () => Math.round(1e4 + (random() - 0.5) * 6) / 1e4),
  'flat but for one last digit': (length, random) => {
    const price = 0.1 + random();
    return Array.from({ length }, () => (random() < 0.05 ? nextDouble(price) : price));
  },
  'entirely flat': (length, random) => new Array<number>(length).fill(0.1 + random()),
  'flat, then moving, then flat again': (length, random) => {
    let price = 0.3 + random();
    return Array.from({ length }, (_, i) => {
      if (Math.floor(i / 23) % 2 === 1) price *= 1 + (random() - 0.5) / 5;
      return price;
    });
  },
  'jumps of +1500 % and back': (length, random) =>
    Array.from({ length }, () => (random() < 0.1 ? 16 : 1) * (1 + random() / 100)),
  'one spike on a flat line': (length, random) => {
    const spike = Math.floor(random() * length);
    return Array.from({ length }, (_, i) => (i === spike ? 160.1 : 10.1));
  },
  'steady growth, equal but for rounding': (length, random) => {
    const factor = 1 + random() / 500;
    let price = 1;
    return Array.from({ length }, () => (price *= factor));
  },
  'steady growth quoted to eight decimals': length =>
    Array.from({ length }, (_, i) => Math.round(1e8 * 1.0001 ** i) / 1e8),
  'doubling every day, exactly equal returns': length => Array.from({ length }, (_, i) => 1e-12 * 2 ** (i % 70)),
  'all magnitudes from 1e-12 to 1e12 in one series': (length, random) =>
    Array.from({ length }, () => 10 ** (random() * 24 - 12)),
  'a linear ramp of whole numbers': length => Array.from({ length }, (_, i) => i + 1),
};

/** A series of the kind, of 1 to `longest` closes. */
export function seriesOf(generate: Generate, longest: number): fc.Arbitrary<number[]> {
  return fc.tuple(fc.integer({ min: 1, max: longest }), seed).map(([length, from]) => generate(length, uniform(from)));
}

export function fixedSeries(generate: Generate, length: number, from: number): number[] {
  return generate(length, uniform(from));
}
