// How long the rules take: `node bench/quality/quality.ts`, in nanoseconds of processor time per bar. Not a part of `npm run bench`.

import { RULE_NAMES } from '../../src/domain/finding.ts';
import { type SourceBars, sourceBars } from '../../src/domain/source-bars.ts';
import { servedBars } from '../../src/publish/price-rule.ts';
import { check, RULES, recheckFrom } from '../../src/quality/check.ts';
import type { CheckedBars } from '../../src/quality/rule.ts';
import { DEFAULT_RULE_SETTINGS } from '../../src/quality/settings.ts';
import { randomWalks } from '../kernel/data.ts';

const [ASSETS, PERIODS, SOURCES] = [1000, 3650, 5];

const { closes } = randomWalks(ASSETS, PERIODS);
let state = 7;
const uniform = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const assets = Array.from({ length: ASSETS }, (_, asset): CheckedBars => {
  const bars = barsOf('a', asset);
  return { served: bars, sources: [bars], newest: PERIODS - 1 };
});
const [one] = assets;

function barsOf(source: string, asset: number): SourceBars {
  const bars = sourceBars(source, PERIODS);
  bars.close.set(closes.subarray(asset * PERIODS, (asset + 1) * PERIODS));
  for (let i = 0; i < PERIODS; i++) {
    const close = bars.close[i]!;
    bars.period[i] = i;
    bars.open[i] = close;
    bars.high[i] = close * (1 + uniform() / 20);
    bars.low[i] = close * (1 - uniform() / 20);
    // Volumes of the same asset differ by a factor of some hundred.
    bars.volume[i] = 1000 * 10 ** (uniform() + uniform() + uniform());
  }
  return bars;
}

/** The least of five runs, in nanoseconds of processor time per unit. */
function report(name: string, units: number, unit: string, work: () => void): void {
  const times = Array.from({ length: 5 }, () => {
    const began = process.cpuUsage();
    work();
    return process.cpuUsage(began).user * 1000;
  });
  console.log(`${name}: ${(Math.min(...times) / units).toFixed(1)} ns per ${unit}`);
}

const bars = ASSETS * PERIODS;
for (const name of RULE_NAMES) {
  report(name, bars, 'bar', () => {
    for (const asset of assets) RULES[name](asset, Number.NEGATIVE_INFINITY, DEFAULT_RULE_SETTINGS);
  });
}
report('all rules', bars, 'bar', () => {
  for (const asset of assets) check(asset, DEFAULT_RULE_SETTINGS);
});
report('one appended bar', ASSETS, 'asset', () => {
  for (const asset of assets) {
    check(asset, DEFAULT_RULE_SETTINGS, recheckFrom(asset, DEFAULT_RULE_SETTINGS, PERIODS - 1));
  }
});

const jumping = { ...one!.served, close: one!.served.close.map((_, i) => 1 + (i % 2)) };
report('spike, if every close doubles or halves', PERIODS, 'bar', () => {
  RULES.spike({ ...one!, sources: [jumping] }, Number.NEGATIVE_INFINITY, DEFAULT_RULE_SETTINGS);
});

const sources = Array.from({ length: SOURCES }, (_, source) => barsOf(`s${source}`, 0));
report(`disagree, ${SOURCES} sources`, PERIODS, 'period', () => {
  RULES.disagree({ ...one!, sources }, Number.NEGATIVE_INFINITY, DEFAULT_RULE_SETTINGS);
});
for (const kind of ['priority', 'median'] as const) {
  report(`price rule ${kind}, ${SOURCES} sources`, 10 * PERIODS, 'served bar', () => {
    for (let i = 0; i < 10; i++) servedBars(sources, { kind, order: [] });
  });
}
