// The kernels that columns are computed by: one file each in `indicators/kernels/`. What a row must read follows from these facts.

/** Numbers of a day besides its close. */
export type DayNumber = 'open' | 'high' | 'low' | 'volume' | 'benchmark';

export interface KernelFacts {
  /** What it writes per length, in this order. */
  readonly outputs: readonly string[];
  /** What it reads besides closes. */
  readonly reads: readonly DayNumber[];
  /** Numbers of its state per length, if it is a recursion over the whole history. 0: it reads the closes of its window only. */
  readonly state: number;
}

const CLOSES_ONLY = { outputs: ['value'], reads: [], state: 0 } as const satisfies KernelFacts;
const RANGES = ['high', 'low'] as const;

/**
 * In the order in which they run: the averages first, because they read every close of an asset in order, so that the others find theirs
 * in the processor's cache. The stored state has the same order.
 */
export const KERNELS = {
  sma: CLOSES_ONLY,
  change: CLOSES_ONLY,
  var: CLOSES_ONLY,
  vol: CLOSES_ONLY,
  bar: { outputs: ['open', 'high', 'low', 'volume'], reads: ['open', 'high', 'low', 'volume'], state: 0 },
  history: CLOSES_ONLY,
  turnover: { ...CLOSES_ONLY, reads: ['volume'] },
  ema: { ...CLOSES_ONLY, state: 1 },
  macd: { outputs: ['line', 'signal', 'histogram'], reads: [], state: 6 },
  rsi: { ...CLOSES_ONLY, state: 2 },
  allTimeHigh: { outputs: ['high', 'day', 'distance'], reads: [], state: 2 },
  atr: { ...CLOSES_ONLY, reads: RANGES, state: 2 },
  bollinger: { ...CLOSES_ONLY, outputs: ['zscore', 'upper', 'lower', 'pct', 'width'] },
  stochastic: { outputs: ['k', 'd'], reads: RANGES, state: 0 },
  drawdown: CLOSES_ONLY,
  sharpe: CLOSES_ONLY,
  beta: { outputs: ['beta', 'correlation'], reads: ['benchmark'], state: 0 },
  extremes: { ...CLOSES_ONLY, outputs: ['highest', 'lowest', 'fromHighest', 'fromLowest'] },
  /** What the settings file defines. Its length is the place of the definition, which says what it reads and keeps. */
  own: CLOSES_ONLY,
} as const satisfies Readonly<Record<string, KernelFacts>>;

export type KernelName = keyof typeof KERNELS;

/** Their table without the exact types of its entries. */
export const KERNEL_FACTS: Readonly<Record<KernelName, KernelFacts>> = KERNELS;
