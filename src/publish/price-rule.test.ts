import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf } from '../../test/support/source-bars.ts';
import { BAR_NUMBERS, type SourceBars } from '../domain/source-bars.ts';
import { contributions, inOrderOf, type PriceRule, servedBars } from './price-rule.ts';

const PRIORITY: PriceRule = { kind: 'priority', order: [] };
const MEDIAN: PriceRule = { kind: 'median', order: [] };
const UNKNOWN = Number.NaN;

type Quote = readonly [close: number, volume: number];

/** Sources named a, b, c … with one close and volume each, all of period 0. */
function sourcesWith(...bars: readonly Quote[]): SourceBars[] {
  return bars.map(([close, volume], i) => barsOf({ close: [close], volume: [volume] }, [0], 'abcdefgh'[i]!));
}

function medianOf(...bars: readonly Quote[]) {
  const { close, volume } = servedBars(sourcesWith(...bars), MEDIAN).bars;
  return [close[0], volume[0]];
}

/** `period: close of the lower and the upper source` */
function shortly({ bars, lower, upper }: ReturnType<typeof servedBars>): string[] {
  return Array.from(bars.period, (period, i) => `${period}: ${bars.close[i]} of ${lower[i]} ${upper[i]}`);
}

describe('the order of sources', () => {
  const sources = ['x', 'b', 'correction', 'y', 'a'].map(name => barsOf({ close: [1] }, [0], name));
  for (const [order, expected] of [
    [[], ['correction', 'x', 'b', 'y', 'a']],
    [
      ['a', 'b'],
      ['correction', 'a', 'b', 'x', 'y'],
    ],
    [
      ['none', 'y', 'correction'],
      ['correction', 'y', 'x', 'b', 'a'],
    ],
  ] as const) {
    it(`${order.join(', ') || 'without one'} is ${expected.join(', ')}`, () => {
      assert.deepEqual(
        inOrderOf(sources, { kind: 'priority', order }).map(({ source }) => source),
        expected,
      );
    });
  }
});

describe('by priority', () => {
  it('the first source that has the period gives the whole bar', () => {
    const a = barsOf({ close: [10, 30], volume: [1, UNKNOWN] }, [1, 3], 'a');
    const b = barsOf({ open: [11, 21, 31], close: [12, 22, 32], volume: [5, 6, 7] }, [1, 2, 3], 'b');
    const served = servedBars([a, b], PRIORITY);
    assert.deepEqual(shortly(served), ['1: 10 of 0 0', '2: 22 of 1 1', '3: 30 of 0 0']);
    assert.deepEqual([...served.bars.open], [UNKNOWN, 21, UNKNOWN]);
    assert.deepEqual([...served.bars.volume], [1, 6, UNKNOWN]);
  });

  it('one source is served with the same bits', () => {
    const only = barsOf({ open: [1], high: [0.5], low: [3], close: [2], volume: [UNKNOWN] }, [5], 'a');
    for (const rule of [PRIORITY, MEDIAN]) {
      const { bars, lower, upper } = servedBars([only], rule);
      for (const name of BAR_NUMBERS) assert.equal(bars[name], only[name]);
      assert.deepEqual([bars.source, [...lower], [...upper]], [null, [0], [0]]);
    }
  });

  it('no sources, or sources without bars, give no bars', () => {
    assert.deepEqual(shortly(servedBars([], PRIORITY)), []);
    assert.deepEqual(shortly(servedBars([barsOf({}, [], 'a'), barsOf({}, [], 'b')], MEDIAN)), []);
  });

  it('a bar without a close does not count', () => {
    const [a, b] = [barsOf({ close: [UNKNOWN, 2] }, [1, 2], 'a'), barsOf({ close: [3] }, [1], 'b')];
    assert.deepEqual(shortly(servedBars([a, b], PRIORITY)), ['1: 3 of 1 1', '2: 2 of 0 0']);
    assert.deepEqual(shortly(servedBars([a, b], MEDIAN)), ['1: 3 of 1 1', '2: 2 of 0 0']);
  });
});

describe('a correction', () => {
  const corrections = barsOf({ close: [7, UNKNOWN, 9] }, [1, 2, 4], 'correction');
  const a = barsOf({ close: [100, 100, 100] }, [1, 2, 3], 'a');
  const b = barsOf({ close: [200, 200, 200] }, [1, 2, 3], 'b');
  for (const rule of [PRIORITY, MEDIAN]) {
    it(`precedes all others by ${rule.kind}, and without a close removes the period`, () => {
      const expected = ['1: 7 of 0 0', `3: ${rule.kind === 'median' ? '150 of 1 2' : '100 of 1 1'}`, '4: 9 of 0 0'];
      assert.deepEqual(shortly(servedBars([corrections, a, b], rule)), expected);
    });
  }

  it('alone is served, too', () => {
    assert.deepEqual(shortly(servedBars([corrections], PRIORITY)), ['1: 7 of 0 0', '4: 9 of 0 0']);
  });

  it('has all the weight', () => {
    assert.deepEqual(contributions([corrections, a, b], MEDIAN, 2), [
      { source: 'correction', close: UNKNOWN, weight: 1, decided: true },
      { source: 'a', close: 100, weight: 0, decided: false },
      { source: 'b', close: 200, weight: 0, decided: false },
    ]);
  });
});

describe('by the median', () => {
  // biome-ignore format: a table
  const CASES: readonly (readonly [string, readonly Quote[], close: number, volume: number])[] = [
    ['of three equal volumes it is the close in the middle', [[3, 1], [1, 1], [2, 1]], 2, 3],
    ['of two equal volumes it is their mean', [[1, 5], [2, 5]], 1.5, 10],
    ['the larger of two volumes decides', [[1, 5], [2, 6]], 2, 11],
    ['more than half of the volume decides', [[1, 1], [2, 1], [9, 3]], 9, 5],
    ['exactly half of the volume is one side', [[1, 1], [2, 1], [9, 2]], 5.5, 4],
    ['an unknown volume makes it plain', [[1, 1], [2, UNKNOWN], [9, 3]], 2, 4],
    ['an infinite volume is unknown', [[1, 1], [2, Number.POSITIVE_INFINITY], [9, 3]], 2, 4],
    ['a volume of zero has no weight', [[1, 1], [5, 0], [9, 1]], 5, 2],
    ['zero volumes in the middle do not decide', [[1, 1], [2, 0], [9, 1]], 5, 2],
    ['only zero volumes make it plain', [[1, 0], [2, 0], [9, 0]], 2, 0],
    ['without any volume it is plain', [[1, UNKNOWN], [2, UNKNOWN]], 1.5, UNKNOWN],
    ['equal closes are equal', [[7, 1], [7, 2], [7, UNKNOWN]], 7, 3],
    ['0.1 + 0.2 is more than 0.3', [[1, 0.1], [2, 0.2], [3, 0.3]], 2, 0.6],
    ['the largest volumes are compared', [[1, 1.7e308], [2, 1.7e308], [3, 1.6e308]], 2, UNKNOWN],
  ];
  for (const [name, bars, close, volume] of CASES) it(name, () => assert.deepEqual(medianOf(...bars), [close, volume]));

  it('the bar of the only source in a period is taken as it is', () => {
    const a = barsOf({ open: [4], high: [1], low: [9], close: [2], volume: [3] }, [1], 'a');
    const b = barsOf({ close: [5] }, [2], 'b');
    const { bars } = servedBars([a, b], MEDIAN);
    assert.deepEqual(
      BAR_NUMBERS.map(name => bars[name][0]),
      [4, 1, 9, 2, 3],
    );
  });

  it('opens, highs and lows are medians of the sources that give them, kept consistent', () => {
    const bar = (open: number, high: number, low: number, close: number, volume: number, name: string) =>
      barsOf({ open: [open], high: [high], low: [low], close: [close], volume: [volume] }, [0], name);
    const served = (...sources: SourceBars[]) => {
      const { bars } = servedBars(sources, MEDIAN);
      return BAR_NUMBERS.map(name => bars[name][0]);
    };
    assert.deepEqual(
      served(bar(1, 9, 1, 5, 1, 'a'), bar(2, 8, 2, 6, 1, 'b'), bar(3, 7, 3, 7, 1, 'c')),
      [2, 8, 2, 6, 3],
    );
    // Only a gives an open, only b a high and a low: 10 and 20, which the close 30 of c exceeds.
    const wide = served(
      bar(10, UNKNOWN, UNKNOWN, 5, 1, 'a'),
      bar(UNKNOWN, 20, 15, 16, 1, 'b'),
      bar(UNKNOWN, UNKNOWN, UNKNOWN, 30, 9, 'c'),
    );
    assert.deepEqual(wide, [10, 30, 10, 30, 11]);
    // An open that is not known contradicts nothing.
    const noOpen = served(bar(UNKNOWN, 20, 15, 16, 1, 'a'), bar(UNKNOWN, UNKNOWN, UNKNOWN, 30, 9, 'b'));
    assert.deepEqual(noOpen, [UNKNOWN, 30, 15, 30, 10]);
  });

  it('is the same in every order of the sources', () => {
    const sources = sourcesWith([3, 0.1], [1, 0.2], [2, 0.3], [9, 0.7], [5, 1e-9]);
    const { close, volume } = servedBars(sources, MEDIAN).bars;
    for (let turn = 1; turn < sources.length; turn++) {
      const { bars } = servedBars([...sources.slice(turn), ...sources.slice(0, turn)], MEDIAN);
      assert.deepEqual([bars.close, bars.volume], [close, volume]);
    }
  });
});

describe('what each source contributed', () => {
  const sources = sourcesWith([3, 1], [1, 2], [2, 1]);

  it('by priority is everything or nothing', () => {
    assert.deepEqual(contributions(sources, PRIORITY, 0), [
      { source: 'a', close: 3, weight: 1, decided: true },
      { source: 'b', close: 1, weight: 0, decided: false },
      { source: 'c', close: 2, weight: 0, decided: false },
    ]);
  });

  it('by the median is its share of the volume; two decide if the median is between them', () => {
    assert.deepEqual(contributions(sources, MEDIAN, 0), [
      { source: 'a', close: 3, weight: 0.25, decided: false },
      { source: 'b', close: 1, weight: 0.5, decided: true },
      { source: 'c', close: 2, weight: 0.25, decided: true },
    ]);
  });

  it('lists only sources that have the period', () => {
    assert.deepEqual(contributions(sources, MEDIAN, 1), []);
    const more = [...sources, barsOf({ close: [8] }, [1], 'd')];
    assert.deepEqual(contributions(more, MEDIAN, 1), [{ source: 'd', close: 8, weight: 1, decided: true }]);
  });
});
