import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { barsOf } from '../../test/support/source-bars.ts';
import { BAR_NUMBERS, type SourceBars } from '../domain/source-bars.ts';
import { type Action, type AssetHistory, adjustedSources, segmentsOf } from './actions.ts';

const UNKNOWN = Number.NaN;

type Assets = Readonly<Record<string, { readonly bars?: readonly SourceBars[]; readonly actions?: readonly Action[] }>>;

function historyOf(assets: Assets): AssetHistory {
  return { sourcesOf: asset => assets[asset]?.bars ?? [], actionsOf: asset => assets[asset]?.actions ?? [] };
}

function redenomination(period: number, ratio: number): Action {
  return { period, ratio, fromAsset: null };
}

function migration(period: number, fromAsset: string, ratio = 1): Action {
  return { period, ratio, fromAsset };
}

/** `source: period close …` */
function shortly(sources: readonly SourceBars[]): string[] {
  return sources.map(
    ({ source, period, close }) => `${source}: ${Array.from(period, (each, i) => `${each} ${close[i]}`).join(', ')}`,
  );
}

function closes(asset: string, assets: Assets): string[] {
  return shortly(adjustedSources(asset, historyOf(assets)));
}

describe('a redenomination', () => {
  it('of 1,000 old units to one multiplies prices and divides volumes of the periods before its day', () => {
    const old = { open: [1, 2, 2000], high: [3, UNKNOWN, 3000], low: [1, 1, 1000], close: [2, 3, 2500] };
    const bars = barsOf({ ...old, volume: [5000, UNKNOWN, 7] }, [4, 5, 6]);
    const [adjusted] = adjustedSources('x', historyOf({ x: { bars: [bars], actions: [redenomination(6, 1000)] } }));
    assert.deepEqual(
      BAR_NUMBERS.map(name => [...adjusted![name]]),
      [
        [1000, 2000, 2000],
        [3000, UNKNOWN, 3000],
        [1000, 1000, 1000],
        [2000, 3000, 2500],
        [5, UNKNOWN, 7],
      ],
    );
  });

  it('of one old unit to several divides prices', () => {
    assert.deepEqual(
      closes('x', { x: { bars: [barsOf({ close: [8, 1] }, [1, 2])], actions: [redenomination(2, 0.125)] } }),
      ['a: 1 1, 2 1'],
    );
  });

  it('before another is multiplied with it', () => {
    const bars = [barsOf({ close: [1, 1, 1, 1] }, [1, 2, 3, 4])];
    const actions = [redenomination(2, 10), redenomination(4, 100)];
    assert.deepEqual(closes('x', { x: { bars, actions } }), ['a: 1 1000, 2 100, 3 100, 4 1']);
    assert.deepEqual(closes('x', { x: { bars, actions: actions.toReversed() } }), ['a: 1 1000, 2 100, 3 100, 4 1']);
  });

  it('on a day without a bar, before the first or after the last one, applies to what is before it', () => {
    const bars = [barsOf({ close: [1, 1] }, [2, 6])];
    for (const [day, expected] of [
      [1, 'a: 2 1, 6 1'],
      [2, 'a: 2 1, 6 1'],
      [4, 'a: 2 10, 6 1'],
      [9, 'a: 2 10, 6 10'],
    ] as const) {
      assert.deepEqual(closes('x', { x: { bars, actions: [redenomination(day, 10)] } }), [expected], `day ${day}`);
    }
  });

  it('applies to every source', () => {
    const bars = [barsOf({ close: [1, 2] }, [1, 2], 'a'), barsOf({ close: [3] }, [1], 'b')];
    assert.deepEqual(closes('x', { x: { bars, actions: [redenomination(2, 10)] } }), ['a: 1 10, 2 2', 'b: 1 30']);
  });

  it('that makes a number which is not a price leaves it out, and the bar if it is the close', () => {
    const bars = barsOf({ high: [1, 1e14], close: [1e14, 1] }, [1, 2]);
    const [adjusted] = adjustedSources('x', historyOf({ x: { bars: [bars], actions: [redenomination(3, 100)] } }));
    assert.deepEqual([[...adjusted!.period], [...adjusted!.close], [...adjusted!.high]], [[2], [100], [UNKNOWN]]);
  });

  it('keeps a correction that removes a period', () => {
    const bars = [barsOf({ close: [UNKNOWN, 5] }, [1, 2], 'correction')];
    const actions = [redenomination(3, 10)];
    assert.deepEqual(closes('x', { x: { bars, actions } }), ['correction: 1 NaN, 2 50']);
  });
});

describe('a migration', () => {
  const old = { bars: [barsOf({ close: [1, 2, 3, 4] }, [1, 2, 3, 4])] };
  const young = [barsOf({ close: [30, 40, 50] }, [3, 4, 5])];

  it('continues the series of the old asset from its day on', () => {
    assert.deepEqual(closes('new', { old, new: { bars: young, actions: [migration(4, 'old')] } }), [
      'a: 1 1, 2 2, 3 3, 4 40, 5 50',
    ]);
  });

  it('with a ratio adjusts the old series', () => {
    assert.deepEqual(closes('new', { old, new: { bars: young, actions: [migration(3, 'old', 10)] } }), [
      'a: 1 10, 2 20, 3 30, 4 40, 5 50',
    ]);
  });

  it('leaves the old asset as it is', () => {
    const assets = { old, new: { bars: young, actions: [migration(3, 'old', 10)] } };
    assert.equal(adjustedSources('old', historyOf(assets)), old.bars);
  });

  it('comes with the older actions of the old asset, not with those of its day or later', () => {
    const actions = [redenomination(2, 10), redenomination(3, 7), redenomination(4, 7)];
    const assets = { old: { ...old, actions }, new: { bars: young, actions: [migration(3, 'old', 10)] } };
    assert.deepEqual(closes('new', assets), ['a: 1 100, 2 20, 3 30, 4 40, 5 50']);
  });

  it('after a redenomination of the new asset is adjusted by both', () => {
    const actions = [migration(3, 'old', 10), redenomination(5, 2)];
    assert.deepEqual(closes('new', { old, new: { bars: young, actions } }), ['a: 1 20, 2 40, 3 60, 4 80, 5 50']);
  });

  it('after another goes back through both assets', () => {
    const assets = {
      oldest: { bars: [barsOf({ close: [7, 8] }, [0, 1])] },
      old: { ...old, actions: [migration(2, 'oldest', 2)] },
      new: { bars: young, actions: [migration(4, 'old', 10)] },
    };
    assert.deepEqual(closes('new', assets), ['a: 0 140, 1 160, 2 20, 3 30, 4 40, 5 50']);
  });

  it('brings the sources that only the old asset had, after its own', () => {
    const assets = {
      old: { bars: [barsOf({ close: [1] }, [1], 'z'), barsOf({ close: [2] }, [1], 'a')] },
      new: { bars: young, actions: [migration(3, 'old')] },
    };
    assert.deepEqual(closes('new', assets), ['a: 1 2, 3 30, 4 40, 5 50', 'z: 1 1']);
  });

  it('of two assets into each other ends', () => {
    const assets = {
      x: { bars: [barsOf({ close: [1, 2, 3] }, [1, 2, 3])], actions: [migration(3, 'y')] },
      y: { bars: [barsOf({ close: [10, 20, 30] }, [1, 2, 3])], actions: [migration(2, 'x'), migration(3, 'x')] },
    };
    assert.deepEqual(closes('x', assets), ['a: 1 1, 2 20, 3 3']);
  });

  it('from an asset without bars leaves nothing before its day', () => {
    assert.deepEqual(closes('new', { new: { bars: young, actions: [migration(4, 'none')] } }), ['a: 4 40, 5 50']);
  });
});

test('the segments name the actions behind a period', () => {
  const [late, early] = [redenomination(5, 10), migration(3, 'old', 2)];
  const actionsOf = (asset: string) => (asset === 'new' ? [early, late] : []);
  assert.deepEqual(
    segmentsOf('new', actionsOf).map(({ asset, from, to, factor, actions }) => [asset, from, to, factor, actions]),
    [
      ['new', 5, Number.POSITIVE_INFINITY, 1, []],
      ['new', 3, 5, 10, [late]],
      ['old', Number.NEGATIVE_INFINITY, 3, 20, [late, early]],
    ],
  );
});

const price = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
const barsArbitrary = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 40 }), price, price), { maxLength: 20 })
  .map(rows => new Map(rows.map(row => [row[0], row])))
  .map(rows => [...rows.values()].sort((a, b) => a[0] - b[0]))
  .map(rows => {
    const [periods, close, volume] = [rows.map(row => row[0]), rows.map(row => row[1]), rows.map(row => row[2])];
    return barsOf({ close, volume }, periods);
  });
const actionArbitrary = fc.record({
  period: fc.integer({ min: 0, max: 40 }),
  ratio: fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
  fromAsset: fc.constantFrom(null, null, 'old'),
});

function bitsOf(sources: readonly SourceBars[]): string {
  return JSON.stringify(
    sources.map(bars => [
      bars.source,
      [...bars.period],
      ...BAR_NUMBERS.map(name => Buffer.from(Float64Array.from(bars[name]).buffer).toString('hex')),
    ]),
  );
}

test('undoing an action gives back the same bits, whatever else was added before or after it', () => {
  fc.assert(
    fc.property(
      barsArbitrary,
      barsArbitrary,
      fc.array(actionArbitrary, { maxLength: 4 }),
      fc.array(actionArbitrary, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (own, old, kept, undone, at) => {
        const withActions = (actions: readonly Action[]) =>
          bitsOf(adjustedSources('new', historyOf({ old: { bars: [old] }, new: { bars: [own], actions } })));
        const [given, before] = [bitsOf([own, old]), withActions(kept)];
        // Entered in another order, and then removed one by one.
        const all = [...kept];
        for (const [i, action] of undone.entries()) all.splice((at + i) % (all.length + 1), 0, action);
        const shuffled = withActions(all);
        assert.equal(withActions([...kept, ...undone]), shuffled);
        assert.equal(withActions(all.filter(action => !undone.includes(action))), before);
        assert.equal(bitsOf([own, old]), given, 'what the sources said is unchanged');
      },
    ),
    { numRuns: 500 },
  );
});

test('two redenominations that undo each other give back the same bits', () => {
  const exponent = fc.integer({ min: -10, max: 10 });
  fc.assert(
    fc.property(barsArbitrary, exponent, fc.integer({ min: 0, max: 40 }), (bars, power, day) => {
      const actions = [redenomination(day, 2 ** power), redenomination(day, 2 ** -power)];
      const adjusted = adjustedSources('x', historyOf({ x: { bars: [bars], actions } }));
      assert.equal(bitsOf(adjusted), bitsOf([bars]));
    }),
  );
});
