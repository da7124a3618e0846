// The entries of the catalogue that a kernel computes: one function per kernel, from a length in days to its columns.
// C₀ is the latest close, `H`, `L` and `V` are the high, the low and the volume of a day. A description ends with the rule for null.

import type { ColumnGroup, IndicatorColumn, OptionalDay, OptionalIndicator } from './columns.ts';
import { reachOf, warmUpOf } from './own/facts.ts';
import type { OwnDefinition } from './own/parse-definitions.ts';

type Facts = Pick<IndicatorColumn, 'label' | 'family' | 'unit' | 'nullable' | 'description' | 'formula' | 'minHistory'>;

/** A column of every row. */
function indicator(kernel: IndicatorColumn['kind'], length: number, facts: Facts): IndicatorColumn {
  const name = `${kernel}${length}`;
  return { name, kind: kernel, type: 'number', window: length, kernel, length, output: 'value', ...facts };
}

export function change(length: number): IndicatorColumn {
  return indicator('change', length, {
    label: `Change ${length}d`,
    family: 'Change',
    unit: 'percent',
    nullable: true,
    description: `Change of the price over ${days(length)}; null if the history is shorter`,
    formula: `(C₀ / C${subscript(length)} − 1) · 100`,
    minHistory: length + 1,
  });
}

export function sma(length: number): IndicatorColumn {
  return indicator('sma', length, {
    label: `SMA ${length}`,
    family: 'Moving average',
    unit: 'USD',
    nullable: false,
    description: `Simple moving average of the last ${length} daily closes, or of all available ones`,
    formula: `mean(C₀ … C${subscript(length - 1)})`,
    minHistory: length,
  });
}

export function variance(length: number): IndicatorColumn {
  return indicator('var', length, {
    label: `Variance ${length}d`,
    family: 'Variance',
    unit: 'USD²',
    nullable: false,
    description: `Population variance of the last ${length} daily closes, or of all available ones; 0 for one close`,
    formula: `mean((Cᵢ − sma${length})²), i = 0 … ${length - 1}`,
    minHistory: length,
  });
}

export function volatility(length: number): IndicatorColumn {
  return indicator('vol', length, {
    label: `Volatility ${length}d`,
    family: 'Volatility',
    unit: 'percent per year',
    nullable: false,
    description:
      `Annualised volatility: sample standard deviation of the last ${length} daily log returns, ` +
      'or of all available ones; 0 for fewer than two returns',
    formula: `stdev(ln(Cᵢ / Cᵢ₊₁)) · √365 · 100, i = 0 … ${length - 1}`,
    minHistory: length + 1,
  });
}

type OptionalFacts = Required<Pick<OptionalIndicator, 'name' | 'label' | 'unit' | 'description' | 'formula'>> &
  Partial<Pick<OptionalIndicator, 'nullable' | 'output' | 'window' | 'minHistory'>>;

/** A column that a row has on request. Unless the facts differ, the window is the length, and a value needs as many closes. */
function optional(
  group: ColumnGroup,
  kernel: OptionalIndicator['kind'],
  length: number,
  { name, label, output = 'value', ...facts }: OptionalFacts,
): OptionalIndicator {
  const { unit, nullable = true, description, window = length, formula, minHistory = window ?? 1 } = facts;
  const computation = { kernel, length, output };
  const client = { unit, nullable, description, window, formula, minHistory };
  return { name, label, kind: kernel, type: 'number', group, ...client, ...computation };
}

const shorter = 'null if the history is shorter';

/** Of one day. */
export const turnover: OptionalIndicator = optional('market', 'turnover', 1, {
  name: 'turnover',
  label: 'Turnover',
  unit: 'USD',
  formula: 'V · C₀',
  description: 'Turnover of the day; null if the source gives no volume',
});

export function meanTurnover(length: number): OptionalIndicator {
  return optional('market', 'turnover', length, {
    name: `turnover${length}`,
    label: `Turnover ${length}d`,
    unit: 'USD',
    formula: `mean(Vᵢ · Cᵢ), i = 0 … ${length - 1}`,
    description: `Mean daily turnover of ${length} days; null unless all ${length} are known`,
  });
}

export function ema(length: number): OptionalIndicator {
  return optional('trend', 'ema', length, {
    name: `ema${length}`,
    label: `EMA ${length}`,
    unit: 'USD',
    formula: `EMAₜ = EMAₜ₋₁ + 2/${length + 1} · (Cₜ − EMAₜ₋₁), seed: mean of the first ${length} closes`,
    description: `Exponential moving average of ${length} days, computed from the first close; ${shorter}`,
  });
}

/** Its lengths are always 12, 26 and 9. */
export function macd(): OptionalIndicator[] {
  const column = (
    output: string,
    window: number,
    facts: Pick<OptionalFacts, 'name' | 'label' | 'formula' | 'description'>,
  ) => optional('trend', 'macd', 26, { ...facts, unit: 'USD', output, window });
  return [
    column('line', 26, {
      name: 'macd',
      label: 'MACD',
      formula: 'ema12 − ema26',
      description: `Moving average convergence divergence; ${shorter}`,
    }),
    column('signal', 34, {
      name: 'macd_signal',
      label: 'MACD signal',
      formula: 'EMA of 9 days of macd, seed: mean of its first 9 values',
      description: `Signal line of the MACD; ${shorter}`,
    }),
    column('histogram', 34, {
      name: 'macd_hist',
      label: 'MACD histogram',
      formula: 'macd − macd_signal',
      description: `Histogram of the MACD; ${shorter}`,
    }),
  ];
}

export function rsi(length: number): OptionalIndicator {
  return optional('momentum', 'rsi', length, {
    name: `rsi${length}`,
    label: `RSI ${length}`,
    unit: 'percent',
    formula: `100 · G / (G + L), Aₜ = Aₜ₋₁ + (xₜ − Aₜ₋₁)/${length} for A = G, L, seed: mean of the first ${length}`,
    description: `Relative strength index (Wilder) of ${length} days: 100 without losses, 0 without gains, 50 without any move; ${shorter}`,
    minHistory: length + 1,
  });
}

/** The z-score and the bands. */
export function bollinger(length: number): OptionalIndicator[] {
  const [mean, deviation] = [`sma${length}`, `√var${length}`];
  const [upper, lower] = [`bb${length}_upper`, `bb${length}_lower`];
  const column = (output: string, facts: Omit<OptionalFacts, 'output'>) => {
    const without = `null if the history is shorter than ${length} days or all ${length} closes are equal`;
    return optional('momentum', 'bollinger', length, {
      ...facts,
      output,
      description: `${facts.description}; ${without}`,
    });
  };
  return [
    column('zscore', {
      ...{ name: `zscore${length}`, label: `Z-score ${length}`, unit: null },
      formula: `(C₀ − ${mean}) / ${deviation}`,
      description: `Distance of the price from its mean of ${length} days, in standard deviations`,
    }),
    column('upper', {
      ...{ name: upper, label: 'Bollinger upper', unit: 'USD' },
      formula: `${mean} + 2 · ${deviation}`,
      description: 'Upper Bollinger band',
    }),
    column('lower', {
      ...{ name: lower, label: 'Bollinger lower', unit: 'USD' },
      formula: `${mean} − 2 · ${deviation}`,
      description: 'Lower Bollinger band',
    }),
    column('pct', {
      ...{ name: `bb${length}_pct`, label: 'Bollinger %B', unit: null },
      formula: `(C₀ − ${lower}) / (${upper} − ${lower})`,
      description: 'Position of the price between the Bollinger bands, 0 being the lower one and 1 the upper one',
    }),
    column('width', {
      ...{ name: `bb${length}_width`, label: 'Bollinger width', unit: null },
      formula: `(${upper} − ${lower}) / ${mean}`,
      description: 'Distance between the Bollinger bands as a share of their mean',
    }),
  ];
}

const withHighs = (count: number) => `null without ${count} days in a row that have highs and lows`;

/** %K, and %D, its mean over 3 days. */
export function stochastic(length: number): OptionalIndicator[] {
  const name = `stoch${length}`;
  return [
    optional('momentum', 'stochastic', length, {
      ...{ name, label: `Stochastic ${length}`, unit: 'percent', output: 'k' },
      formula: `(C₀ − min L) / (max H − min L) · 100, over ${length} days`,
      description: `Stochastic oscillator %K; ${withHighs(length)}, or if all of these are equal`,
    }),
    optional('momentum', 'stochastic', length, {
      ...{ name: `${name}_d`, label: 'Stochastic %D', unit: 'percent', output: 'd', window: length + 2 },
      formula: `mean of ${name} over 3 days`,
      description: `Stochastic oscillator %D; null unless ${name} has a value on all 3 days`,
    }),
  ];
}

export function atr(length: number): OptionalIndicator {
  return optional('risk', 'atr', length, {
    name: `atr${length}`,
    label: `ATR ${length}`,
    unit: 'USD',
    formula: `ATRₜ = ATRₜ₋₁ + (TRₜ − ATRₜ₋₁)/${length}, TR = max(H − L, |H − C₁|, |L − C₁|), seed: mean of the first ${length}`,
    description: `Average true range (Wilder), starting again after the last bar without high or low; ${withHighs(length + 1)}`,
    minHistory: length + 1,
  });
}

export function drawdown(length: number): OptionalIndicator {
  return optional('risk', 'drawdown', length, {
    name: `mdd${length}`,
    label: `Drawdown ${length}d`,
    unit: 'percent',
    formula: `min((Cⱼ / Cᵢ − 1) · 100, 0), j later than i, within the last ${length} closes`,
    description: `Maximum drawdown: largest fall from a close to a later one within ${length} days; ${shorter}`,
  });
}

export function sharpe(length: number): OptionalIndicator {
  return optional('risk', 'sharpe', length, {
    name: `sharpe${length}`,
    label: `Sharpe ${length}d`,
    unit: null,
    formula: `mean(rᵢ) / stdev(rᵢ) · √365, rᵢ = ln(Cᵢ / Cᵢ₊₁), i = 0 … ${length - 1}`,
    description: `Annualised Sharpe ratio of the last ${length} daily log returns; null if the history is shorter or all returns are equal`,
    minHistory: length + 1,
  });
}

/** And the correlation. */
export function beta(length: number): OptionalIndicator[] {
  const returns = 'daily log returns r of the asset and b of the benchmark';
  const common = `asset over the last ${length} days that both have; null with fewer, or if`;
  return [
    optional('risk', 'beta', length, {
      ...{ name: `beta${length}`, label: `Beta ${length}d`, unit: null, output: 'beta', minHistory: length + 1 },
      formula: `cov(r, b) / var(b), ${returns}`,
      description: `Beta against the benchmark ${common} the benchmark never varies`,
    }),
    optional('risk', 'beta', length, {
      ...{ name: `corr${length}`, label: `Correlation ${length}d`, unit: null, output: 'correlation' },
      formula: `cov(r, b) / √(var(r) · var(b)), ${returns}`,
      description: `Correlation with the benchmark ${common} either never varies`,
      minHistory: length + 1,
    }),
  ];
}

/** The highest and the lowest close, and the distances of the price from them. */
export function extremes(length: number): OptionalIndicator[] {
  const last = `C₀ … C${subscript(length - 1)}`;
  const extreme = (output: string, short: string, label: string, word: string) =>
    optional('range', 'extremes', length, {
      ...{ name: `${short}${length}`, label: `${label} ${length}d`, unit: 'USD', output, formula: `${short}(${last})` },
      description: `${word} close of ${length} days; ${shorter}`,
    });
  const distance = (output: string, short: string, label: string, word: string) =>
    optional('range', 'extremes', length, {
      ...{ name: `from_${short}${length}`, label: `From ${label} ${length}d`, unit: 'percent', output },
      formula: `(C₀ / ${short}${length} − 1) · 100`,
      description: `Distance of the price from its ${word} close of ${length} days; ${shorter}`,
    });
  return [
    extreme('highest', 'max', 'High', 'Highest'),
    extreme('lowest', 'min', 'Low', 'Lowest'),
    distance('fromHighest', 'max', 'high', 'highest'),
    distance('fromLowest', 'min', 'low', 'lowest'),
  ];
}

export function allTimeHigh(): (OptionalIndicator | OptionalDay)[] {
  const column = (facts: OptionalFacts) =>
    optional('range', 'allTimeHigh', 1, { ...facts, nullable: false, window: null });
  const day = column({
    ...{ name: 'ath_at', label: 'Day of all-time high', unit: null, output: 'day' },
    formula: 'first day with C = ath',
    description: 'Start of the UTC day of the highest close ever, the first one if there are several',
  });
  return [
    column({
      ...{ name: 'ath', label: 'All-time high', unit: 'USD', output: 'high' },
      formula: 'max(C₀, C₁, …)',
      description: 'Highest close ever (all-time high)',
    }),
    { ...day, kind: 'time', type: 'string', milliseconds: true, window: null },
    column({
      ...{ name: 'from_ath', label: 'From all-time high', unit: 'percent', output: 'distance' },
      formula: '(C₀ / ath − 1) · 100',
      description: 'Distance of the price from its highest close ever',
    }),
  ];
}

/** What the settings file defines. */
export function own({ name, node, formula }: OwnDefinition, place: number): OptionalIndicator {
  const first = 1 + Math.max(warmUpOf(node), reachOf(node));
  return optional('own', 'own', place, {
    name,
    label: name,
    unit: null,
    formula,
    description: 'Defined by the settings of this service; null without its whole window',
    window: first,
    minHistory: first,
  });
}

function days(count: number): string {
  return count === 1 ? 'one day' : `${count} days`;
}

function subscript(count: number): string {
  return String(count).replace(/\d/g, digit => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)] ?? digit);
}
