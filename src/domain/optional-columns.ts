// The second part of the catalogue: columns that a row has only when a client asks for them, in the order in which rows carry them.
// `H`, `L` and `V` are the high, the low and the volume of a day.

import {
  type Column,
  type ColumnGroup,
  hasNoPast,
  INDICATORS,
  type IndicatorColumn,
  isOptional,
  type MarketColumn,
  type OptionalColumn,
  type OptionalIndicator,
  type OptionalKind,
} from './columns.ts';

type Facts = Pick<MarketColumn, 'unit' | 'nullable' | 'description'> &
  Partial<Pick<MarketColumn, 'formula' | 'current'>>;

function market<const N extends string>(name: N, facts: Facts, type: MarketColumn['type'] = 'number'): MarketColumn<N> {
  return { name, kind: 'market', type, group: 'market', ...facts };
}

const ofDay = (what: string) => `${what} of the UTC day of the price; null if the source does not give it`;

/** A description ends with the rule for null. Without `minHistory`, a value needs as many closes as the window has days. */
type Definition = readonly [
  unit: string | null,
  window: number | null,
  formula: string,
  description: string,
  minHistory?: number,
];

function indicator<const N extends string>(
  name: N,
  group: ColumnGroup,
  kind: OptionalKind,
  [unit, window, formula, description, minHistory = window ?? 1]: Definition,
): OptionalIndicator<N> {
  const nullable = kind !== 'allTimeHigh';
  return { name, kind, type: 'number', group, unit, nullable, description, window, formula, minHistory };
}

const shorter = 'null if the history is shorter';

function ema<const W extends number>(window: W): OptionalIndicator<`ema${W}`> {
  return indicator(`ema${window}`, 'trend', 'ema', [
    'USD',
    window,
    `EMAₜ = EMAₜ₋₁ + 2/${window + 1} · (Cₜ − EMAₜ₋₁), seed: mean of the first ${window} closes`,
    `Exponential moving average of ${window} days, computed from the first close; ${shorter}`,
  ]);
}

function rsi<const W extends number>(window: W): OptionalIndicator<`rsi${W}`> {
  return indicator(`rsi${window}`, 'momentum', 'rsi', [
    'percent',
    window,
    `100 · G / (G + L), Aₜ = Aₜ₋₁ + (xₜ − Aₜ₋₁)/${window} for A = G, L, seed: mean of the first ${window}`,
    `Relative strength index (Wilder) of ${window} days: 100 without losses, 0 without gains, 50 without any move; ${shorter}`,
    window + 1,
  ]);
}

function drawdown<const W extends number>(window: W): OptionalIndicator<`mdd${W}`> {
  return indicator(`mdd${window}`, 'risk', 'drawdown', [
    'percent',
    window,
    `min((Cⱼ / Cᵢ − 1) · 100, 0), j later than i, within the last ${window} closes`,
    `Maximum drawdown: largest fall from a close to a later one within ${window} days; ${shorter}`,
  ]);
}

function sharpe<const W extends number>(window: W): OptionalIndicator<`sharpe${W}`> {
  return indicator(`sharpe${window}`, 'risk', 'sharpe', [
    null,
    window,
    `mean(rᵢ) / stdev(rᵢ) · √365, rᵢ = ln(Cᵢ / Cᵢ₊₁), i = 0 … ${window - 1}`,
    `Annualised Sharpe ratio of the last ${window} daily log returns; null if the history is shorter or all returns are equal`,
    window + 1,
  ]);
}

const bands = (what: string) => `${what}; null if the history is shorter than 20 days or all 20 closes are equal`;
const withHighs = (days: number) => `null without ${days} days in a row that have highs and lows`;

export const OPTIONAL_COLUMNS = [
  market('open', { unit: 'USD', nullable: true, description: ofDay('Open') }),
  market('high', { unit: 'USD', nullable: true, description: ofDay('High') }),
  market('low', { unit: 'USD', nullable: true, description: ofDay('Low') }),
  market('volume', { unit: 'units of the asset', nullable: true, description: ofDay('Traded volume') }),
  indicator('turnover', 'market', 'turnover', [
    'USD',
    1,
    'V · C₀',
    'Turnover of the day; null if the source gives no volume',
  ]),
  indicator('turnover30', 'market', 'turnover', [
    'USD',
    30,
    `mean(Vᵢ · Cᵢ), i = 0 … 29`,
    'Mean daily turnover of 30 days; null unless all 30 are known',
  ]),
  market(
    'rank',
    {
      unit: null,
      nullable: true,
      description:
        'Rank by market capitalisation, 1 being the largest; null if no source ranks the asset, and in `ta-hist`',
      current: true,
    },
    'integer',
  ),
  market('supply', {
    unit: 'units of the asset',
    nullable: true,
    description: 'Circulating supply; null if no source gives it, and in `ta-hist`',
    current: true,
  }),
  market('market_cap', {
    unit: 'USD',
    nullable: true,
    description: 'Market capitalisation; null without a supply, and in `ta-hist`',
    formula: 'C₀ · supply',
    current: true,
  }),
  market(
    'history',
    { unit: 'days', nullable: false, description: 'Days from the first close to the latest, both included' },
    'integer',
  ),
  ema(10),
  ema(12),
  ema(20),
  ema(26),
  ema(50),
  ema(100),
  ema(200),
  indicator('macd', 'trend', 'macd', ['USD', 26, 'ema12 − ema26', `Moving average convergence divergence; ${shorter}`]),
  indicator('macd_signal', 'trend', 'macd', [
    'USD',
    34,
    'EMA of 9 days of macd, seed: mean of its first 9 values',
    `Signal line of the MACD; ${shorter}`,
  ]),
  indicator('macd_hist', 'trend', 'macd', ['USD', 34, 'macd − macd_signal', `Histogram of the MACD; ${shorter}`]),
  rsi(7),
  rsi(14),
  rsi(21),
  indicator('zscore20', 'momentum', 'bollinger', [
    null,
    20,
    '(C₀ − sma20) / √var20',
    bands('Distance of the price from its mean of 20 days, in standard deviations'),
  ]),
  indicator('bb20_upper', 'momentum', 'bollinger', ['USD', 20, 'sma20 + 2 · √var20', bands('Upper Bollinger band')]),
  indicator('bb20_lower', 'momentum', 'bollinger', ['USD', 20, 'sma20 − 2 · √var20', bands('Lower Bollinger band')]),
  indicator('bb20_pct', 'momentum', 'bollinger', [
    null,
    20,
    '(C₀ − bb20_lower) / (bb20_upper − bb20_lower)',
    bands('Position of the price between the Bollinger bands, 0 being the lower one and 1 the upper one'),
  ]),
  indicator('bb20_width', 'momentum', 'bollinger', [
    null,
    20,
    '(bb20_upper − bb20_lower) / sma20',
    bands('Distance between the Bollinger bands as a share of their mean'),
  ]),
  indicator('stoch14', 'momentum', 'stochastic', [
    'percent',
    14,
    '(C₀ − min L) / (max H − min L) · 100, over 14 days',
    `Stochastic oscillator %K; ${withHighs(14)}, or if all of these are equal`,
  ]),
  indicator('stoch14_d', 'momentum', 'stochastic', [
    'percent',
    16,
    'mean of stoch14 over 3 days',
    'Stochastic oscillator %D; null unless stoch14 has a value on all 3 days',
  ]),
  indicator('atr14', 'risk', 'atr', [
    'USD',
    14,
    'ATRₜ = ATRₜ₋₁ + (TRₜ − ATRₜ₋₁)/14, TR = max(H − L, |H − C₁|, |L − C₁|), seed: mean of the first 14',
    `Average true range (Wilder), starting again after the last bar without high or low; ${withHighs(15)}`,
    15,
  ]),
  drawdown(30),
  drawdown(90),
  drawdown(365),
  sharpe(90),
  sharpe(365),
  indicator('beta90', 'risk', 'beta', [
    null,
    90,
    'cov(r, b) / var(b), daily log returns r of the asset and b of the benchmark',
    'Beta against the benchmark asset over the last 90 days that both have; null with fewer, or if the benchmark never varies',
    91,
  ]),
  indicator('corr90', 'risk', 'beta', [
    null,
    90,
    'cov(r, b) / √(var(r) · var(b)), daily log returns r of the asset and b of the benchmark',
    'Correlation with the benchmark asset over the last 90 days that both have; null with fewer, or if either never varies',
    91,
  ]),
  indicator('max365', 'range', 'extremes', ['USD', 365, 'max(C₀ … C₃₆₄)', `Highest close of 365 days; ${shorter}`]),
  indicator('min365', 'range', 'extremes', ['USD', 365, 'min(C₀ … C₃₆₄)', `Lowest close of 365 days; ${shorter}`]),
  indicator('from_max365', 'range', 'extremes', [
    'percent',
    365,
    '(C₀ / max365 − 1) · 100',
    `Distance of the price from its highest close of 365 days; ${shorter}`,
  ]),
  indicator('from_min365', 'range', 'extremes', [
    'percent',
    365,
    '(C₀ / min365 − 1) · 100',
    `Distance of the price from its lowest close of 365 days; ${shorter}`,
  ]),
  indicator('ath', 'range', 'allTimeHigh', ['USD', null, 'max(C₀, C₁, …)', 'Highest close ever (all-time high)']),
  {
    name: 'ath_at',
    kind: 'time',
    type: 'string',
    milliseconds: true,
    group: 'range',
    unit: null,
    nullable: false,
    description: 'Start of the UTC day of the highest close ever, the first one if there are several',
    window: null,
    formula: 'first day with C = ath',
    minHistory: 1,
  },
  indicator('from_ath', 'range', 'allTimeHigh', [
    'percent',
    null,
    '(C₀ / ath − 1) · 100',
    'Distance of the price from its highest close ever',
  ]),
] as const satisfies readonly OptionalColumn[];

export type OptionalColumnName = (typeof OPTIONAL_COLUMNS)[number]['name'];

/** Whether its values come from bars, which a store publishes from the first request for such a column. The others are always there. */
export function needsBars(column: Column): boolean {
  return isOptional(column) && !hasNoPast(column) && column.name !== 'history';
}

/** What a publication stores of each row besides its day, its history and its price: an index here is an index into its values. */
export const PUBLISHED_COLUMNS: readonly (IndicatorColumn | OptionalColumn)[] = [
  ...INDICATORS,
  ...OPTIONAL_COLUMNS.filter(needsBars),
];
