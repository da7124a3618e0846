import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { barsOf, closesOf, onlyBars, repeated } from '../../test/support/source-bars.ts';
import { type Finding, RULE_NAMES } from '../domain/finding.ts';
import { BAR_NUMBERS, type SourceBars, sourceBars } from '../domain/source-bars.ts';
import { check, recheckFrom } from './check.ts';
import type { CheckedBars } from './rule.ts';
import { DEFAULT_RULE_SETTINGS, RULE_SETTINGS, type RuleSettings } from './settings.ts';

test('every rule finds what it is for', () => {
  const a = barsOf(
    {
      high: [...repeated(Number.NaN, 19), 79],
      close: [10, 10, 99, ...repeated(10, 10), ...repeated(80, 7)],
      volume: [...repeated(1, 10), 101, ...repeated(1, 9)],
    },
    [...Array(18).keys(), 19, 20],
  );
  const b = barsOf({ close: [11] }, [0], 'b');
  const found = check({ served: a, sources: [a, b], newest: 30 }, { ...DEFAULT_RULE_SETTINGS, 'volume-window': 20 });
  assert.deepEqual(
    found.map(({ rule, period, source }) => `${period} ${rule} ${source}`),
    [
      '0 disagree b',
      '2 spike a',
      '3 flat a',
      '10 volume a',
      '13 shift a',
      '18 gap null',
      '20 inconsistent a',
      '21 stale null',
    ],
  );
  assert.deepEqual(RULE_NAMES.toSorted(), [...new Set(found.map(({ rule }) => rule))].sort());
});

describe('the first period to look at again', () => {
  const bars = onlyBars(closesOf(...Array.from({ length: 100 }, (_, i) => i + 1)));
  for (const [name, changed, expected] of [
    ['is 30 bars before an appended one', 100, 70],
    ['is 30 bars before a replaced one', 50, 20],
    ['is the first bar if there are fewer before it', 12, 0],
    ['is the changed one if there is none before it', 0, 0],
  ] as const) {
    it(name, () => assert.equal(recheckFrom(bars, DEFAULT_RULE_SETTINGS, changed), expected));
  }

  it('is the beginning of a row of equal closes', () => {
    const flat = onlyBars(closesOf(1, ...repeated(2, 80)));
    assert.equal(recheckFrom(flat, DEFAULT_RULE_SETTINGS, 81), 1);
    assert.equal(recheckFrom(flat, DEFAULT_RULE_SETTINGS, 60), 1);
  });

  it('is not far back because of a source that is new', () => {
    const sources = [...bars.sources, barsOf({ close: [5] }, [99], 'b')];
    assert.equal(recheckFrom({ ...bars, sources }, DEFAULT_RULE_SETTINGS, 99), 69);
  });
});

/** One bar of a source by its period; null removes it. */
interface Change {
  readonly source: number;
  readonly period: number;
  readonly bar: readonly number[] | null;
}

/** Windows so short that a series of some dozen bars has bars before, in and after each of them. */
const SHORT: RuleSettings = {
  ...DEFAULT_RULE_SETTINGS,
  'spike-window': 6,
  'shift-window': 3,
  'flat-closes': 3,
  'volume-window': 7,
  'volume-factor': 10,
};

const price = fc.constantFrom(1, 1, 1, 1.02, 1.7, 3, 10, 100, 1000);
const bar = fc.tuple(price, price, price, price, fc.constantFrom(Number.NaN, 0, 1, 1, 2, 50, 500));
const change = (periods: number): fc.Arbitrary<Change> =>
  fc.record({
    source: fc.integer({ min: 0, max: 2 }),
    period: fc.integer({ min: 0, max: periods }),
    bar: fc.option(bar, { freq: 8 }),
  });

/** The last source is served, so that some changes do not change what is served. */
function checkedBars(sources: readonly ReadonlyMap<number, readonly number[]>[], newest: number): CheckedBars {
  const all = sources.map((bars, i) => {
    const columns = sourceBars(`s${i}`, bars.size);
    for (const [place, period] of [...bars.keys()].sort((a, b) => a - b).entries()) {
      columns.period[place] = period;
      for (const [k, name] of BAR_NUMBERS.entries()) columns[name][place] = bars.get(period)![k]!;
    }
    return columns;
  });
  return { served: { ...all.at(-1)!, source: null } satisfies SourceBars, sources: all, newest };
}

test('checking what each change can affect finds the same as checking everything', () => {
  const found = new Set<string>();
  const property = (settings: RuleSettings, periods: number, count: number) =>
    fc.property(fc.array(change(periods), { minLength: count / 2, maxLength: count }), changes => {
      const sources = [0, 1, 2].map(() => new Map<number, readonly number[]>());
      let findings: Finding[] = [];
      for (const { source, period, bar } of changes) {
        if (bar === null) sources[source]!.delete(period);
        else sources[source]!.set(period, bar);
        const bars = checkedBars(sources, periods + 2);
        const from = recheckFrom(bars, settings, period);
        findings = [...findings.filter(each => each.period < from), ...check(bars, settings, from)];
        assert.deepEqual(findings, check(bars, settings));
        for (const { rule } of findings) found.add(rule);
      }
    });
  fc.assert(property(SHORT, 25, 60), { numRuns: 80 });
  fc.assert(property(DEFAULT_RULE_SETTINGS, 100, 200), { numRuns: 2 });
  assert.deepEqual([...found].sort(), RULE_NAMES.toSorted(), 'every rule was found');
});

test('a series that grows bar by bar has the findings of the whole', () => {
  const walk = fc.array(fc.tuple(bar, fc.integer({ min: 1, max: 2 })), { minLength: 40, maxLength: 60 });
  fc.assert(
    fc.property(walk, steps => {
      const series = new Map<number, readonly number[]>();
      let [findings, period] = [[] as Finding[], 0];
      for (const [numbers, step] of steps) {
        period += step;
        series.set(period, numbers);
        const bars = checkedBars([series], period);
        const from = recheckFrom(bars, SHORT, period);
        findings = [...findings.filter(each => each.period < from), ...check(bars, SHORT, from)];
      }
      assert.deepEqual(findings, check(checkedBars([series], period), SHORT));
    }),
    { numRuns: 100 },
  );
});

test('settings are described, and defaults are those of the table', () => {
  for (const [name, { default: value, unit, doc }] of Object.entries(RULE_SETTINGS)) {
    assert.match(name, /^(stale|spike|shift|flat|volume|disagree)-[a-z]+$/);
    assert.ok(value > 0 && unit.length > 0 && doc.length > 0, name);
    assert.equal(DEFAULT_RULE_SETTINGS[name as keyof RuleSettings], value);
  }
});
