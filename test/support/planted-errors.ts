// Errors planted at random, but repeatably, into the closes of many assets, and how many of them the rules find.

import type { Finding, RuleName } from '../../src/domain/finding.ts';
import { firstBars, type SourceBars, sourceBars } from '../../src/domain/source-bars.ts';
import { check } from '../../src/quality/check.ts';
import { DEFAULT_RULE_SETTINGS } from '../../src/quality/settings.ts';
import type { Chance } from '../contract/query/chance.ts';

/** The closes of one asset, without errors as far as anybody knows. */
export interface CleanSeries {
  readonly name: string;
  readonly period: readonly number[];
  readonly close: readonly number[];
}

/** How many errors of each kind. */
export const PLANTED = { spike: 200, shift: 50, gap: 100, flat: 50, disagree: 100 } as const;

export type PlantedRule = keyof typeof PLANTED;

export interface Planted {
  readonly rule: PlantedRule;
  readonly asset: string;
  readonly period: number;
}

export interface FoundErrors {
  readonly planted: readonly Planted[];
  readonly missed: readonly Planted[];
  /** Findings of the rules of which errors were planted, where there were none. */
  readonly unplanted: readonly (Finding & { readonly asset: string })[];
}

/** One asset with its errors: `b` is a second source. */
export class Bed {
  readonly name: string;
  readonly period: readonly number[];
  readonly a: number[];
  readonly b: number[];
  readonly removed = new Set<number>();
  readonly #taken: Uint8Array;

  constructor({ name, period, close }: CleanSeries, chance: Chance) {
    this.name = name;
    this.period = period;
    this.a = [...close];
    // Sources differ by some tenths of a percent.
    this.b = close.map(each => each * (1 + (chance.next() - 0.5) * 0.006));
    this.#taken = new Uint8Array(period.length);
  }

  /** Takes `length` closes that no other error touches, and which are not at an end of the series; null if there is one. */
  take(at: number, length: number): number | null {
    if (at < 2 || at + length + 2 > this.period.length) return null;
    if (this.#taken.subarray(at - 2, at + length + 2).includes(1)) return null;
    this.#taken.fill(1, at, at + length);
    return at;
  }

  multiply(from: number, to: number, factor: number): void {
    for (let i = from; i < to; i++) {
      this.a[i]! *= factor;
      this.b[i]! *= factor;
    }
  }

  bars(source: string): SourceBars {
    const bars = sourceBars(source, this.period.length);
    let count = 0;
    for (const [i, period] of this.period.entries()) {
      if (this.removed.has(i)) continue;
      bars.period[count] = period;
      bars.close[count++] = (source === 'a' ? this.a : this.b)[i]!;
    }
    return firstBars(bars, count);
  }
}

const PLANT: Readonly<Record<PlantedRule, (bed: Bed, at: number, length: number, chance: Chance) => void>> = {
  spike: (bed, at, _length, chance) => {
    const factor = 3 * (100 / 3) ** chance.next();
    bed.multiply(at, at + 1, chance.happens(0.5) ? factor : 1 / factor);
  },
  shift: (bed, at, _length, chance) => {
    const factor = chance.pick([10, 100, 1000]);
    bed.multiply(at, bed.period.length, chance.happens(0.5) ? factor : 1 / factor);
  },
  gap: (bed, at, length) => {
    for (let i = at; i < at + length; i++) bed.removed.add(i);
  },
  flat: (bed, at, length) => {
    bed.a.fill(bed.a[at]!, at, at + length);
    bed.b.fill(bed.b[at]!, at, at + length);
  },
  disagree: (bed, at, _length, chance) => {
    const factor = 1.06 + chance.next() * 0.5;
    bed.b[at] = bed.a[at]! * (chance.happens(0.5) ? factor : 1 / factor);
  },
};

const LENGTHS: Readonly<Record<PlantedRule, readonly [number, number]>> = {
  spike: [1, 1],
  shift: [1, 1],
  gap: [1, 10],
  flat: [10, 30],
  disagree: [1, 1],
};

export interface PlantedSeries {
  readonly beds: readonly Bed[];
  readonly planted: readonly Planted[];
}

/** Plants all kinds of errors into one copy of the series. */
export function plantErrors(series: readonly CleanSeries[], chance: Chance): PlantedSeries {
  const beds = series.map(each => new Bed(each, chance));
  const planted: Planted[] = [];
  // Rows of equal closes first, because a spike within one would end it.
  for (const rule of ['flat', 'shift', 'spike', 'disagree', 'gap'] as const) {
    for (let done = 0; done < PLANTED[rule]; ) {
      const bed = chance.pick(beds);
      const [least, most] = LENGTHS[rule];
      const length = least + chance.below(most - least + 1);
      const at = bed.take(chance.below(bed.period.length), length);
      if (at === null) continue;
      PLANT[rule](bed, at, length, chance);
      planted.push({ rule, asset: bed.name, period: bed.period[at]! });
      done++;
    }
  }
  return { beds, planted };
}

/** Plants all kinds of errors into one copy of the series, and checks it. */
export function plantAndFind(series: readonly CleanSeries[], chance: Chance): FoundErrors {
  const { beds, planted } = plantErrors(series, chance);
  const findings = beds.flatMap(bed => {
    const sources = [bed.bars('a'), bed.bars('b')];
    const bars = { served: sources[0]!, sources, newest: null };
    return check(bars, DEFAULT_RULE_SETTINGS).map(finding => ({ ...finding, asset: bed.name }));
  });
  return judge(planted, findings);
}

function judge(planted: readonly Planted[], findings: FoundErrors['unplanted']): FoundErrors {
  const key = (rule: RuleName, asset: string, period: number) => `${rule} ${asset} ${period}`;
  const found = new Set(findings.map(({ rule, asset, period }) => key(rule, asset, period)));
  const known = new Set(planted.map(({ rule, asset, period }) => key(rule, asset, period)));
  return {
    planted,
    missed: planted.filter(({ rule, asset, period }) => !found.has(key(rule, asset, period))),
    unplanted: findings.filter(
      ({ rule, asset, period, source }) => rule in PLANTED && source !== 'b' && !known.has(key(rule, asset, period)),
    ),
  };
}

/** The share of the planted errors of a rule that were found. */
export function recall({ planted, missed }: FoundErrors, rule: PlantedRule): number {
  const of = (errors: readonly Planted[]) => errors.filter(error => error.rule === rule).length;
  return 1 - of(missed) / of(planted);
}

/** The findings of one rule or more in the series as they are. */
export function findingsOfClean(series: readonly CleanSeries[]): (Finding & { readonly asset: string })[] {
  return series.flatMap(({ name, period, close }) => {
    const bars = sourceBars('a', period.length);
    bars.period.set(period);
    bars.close.set(close);
    const findings = check({ served: bars, sources: [bars], newest: null }, DEFAULT_RULE_SETTINGS);
    return findings.map(finding => ({ ...finding, asset: name }));
  });
}
