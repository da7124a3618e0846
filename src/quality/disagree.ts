// disagree: two sources differ by more than 5 % in one period: the largest close exceeds the smallest by more than that. One finding per
// period. It names the source that is farthest from the median of all; of two sources, the one that the price rule prefers less.

import type { Finding } from '../domain/finding.ts';
import { CORRECTION, type SourceBars } from '../domain/source-bars.ts';
import { medianOf } from './median.ts';
import { firstAt, isUsable, type Rule } from './rule.ts';
import { factorText, priceText } from './wording.ts';

/** A source's close in the period that is looked at. */
interface Quote {
  readonly source: string | null;
  readonly close: number;
}

export const disagree: Rule = ({ sources }, from, settings) => {
  const compared = sources.filter(({ source }) => source !== CORRECTION);
  const findings: Finding[] = [];
  if (compared.length < 2) return findings;
  const limit = 1 + settings['disagree-percent'] / 100;
  const next = compared.map(bars => firstAt(bars, from));
  for (let period = earliest(compared, next); period !== null; period = earliest(compared, next)) {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (const [i, bars] of compared.entries()) {
      if (bars.period[next[i]!] !== period) continue;
      const close = bars.close[next[i]!]!;
      if (!isUsable(close)) continue;
      if (close < least) least = close;
      if (close > most) most = close;
    }
    if (most > limit * least) findings.push(findingOf(period, quotesAt(compared, next, period)));
    for (const [i, bars] of compared.entries()) if (bars.period[next[i]!] === period) next[i]!++;
  }
  return findings;
};

/** The smallest period that the sources have at their next bars; null after the last. */
function earliest(sources: readonly SourceBars[], next: readonly number[]): number | null {
  let least: number | null = null;
  for (let i = 0; i < sources.length; i++) {
    const period = sources[i]!.period[next[i]!];
    if (period !== undefined && (least === null || period < least)) least = period;
  }
  return least;
}

function quotesAt(sources: readonly SourceBars[], next: readonly number[], period: number): Quote[] {
  return sources
    .map((bars, i) => ({ source: bars.source, close: bars.period[next[i]!] === period ? bars.close[next[i]!]! : 0 }))
    .filter(({ close }) => isUsable(close));
}

function findingOf(period: number, quotes: readonly Quote[]): Finding {
  const doubted = quotes.length === 2 ? quotes[1]! : farthest(quotes);
  const [least, most] = [Math.min(...quotes.map(closeOf)), Math.max(...quotes.map(closeOf))];
  const list = quotes.map(({ source, close }) => `${source} ${priceText(close)}`).join(', ');
  return {
    rule: 'disagree',
    period,
    value: doubted.close,
    expected: median(quotes.filter(quote => quote !== doubted)),
    source: doubted.source,
    detail: `The sources differ by ${factorText((most / least - 1) * 100)} %: ${list}.`,
  };
}

/** From the median, as a ratio; of several, the one that the price rule prefers least. */
function farthest(quotes: readonly Quote[]): Quote {
  const middle = median(quotes);
  const distance = ({ close }: Quote) => Math.max(close / middle, middle / close);
  return quotes.reduce((far, quote) => (distance(quote) >= distance(far) ? quote : far));
}

function median(quotes: readonly Quote[]): number {
  return medianOf(Float64Array.from(quotes, closeOf), quotes.length);
}

function closeOf({ close }: Quote): number {
  return close;
}
