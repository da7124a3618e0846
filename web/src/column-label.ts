// Short names of columns, for headers and sentences. What a column means, its unit and its formula come from the catalogue.

import type { Cell } from './api.ts';
import type { ColumnFacts } from './catalog.ts';
import {
  formatCount,
  formatDay,
  formatLarge,
  formatNumber,
  formatPercent,
  formatPrice,
  formatShare,
  NOTHING,
} from './format.ts';

interface Family {
  /** Over a group of columns. */
  readonly title: string;
  readonly label: (window: string) => string;
}

/** Columns that differ in their window only, by the letters that their names share. */
const FAMILIES: Readonly<Record<string, Family>> = {
  change: { title: 'Change', label: window => `Change ${window}d` },
  sma: { title: 'Moving average', label: window => `SMA ${window}` },
  var: { title: 'Variance', label: window => `Variance ${window}d` },
  vol: { title: 'Volatility', label: window => `Volatility ${window}d` },
  ema: { title: 'Exponential average', label: window => `EMA ${window}` },
  rsi: { title: 'Relative strength', label: window => `RSI ${window}` },
  mdd: { title: 'Drawdown', label: window => `Drawdown ${window}d` },
  sharpe: { title: 'Sharpe ratio', label: window => `Sharpe ${window}d` },
  turnover: { title: 'Turnover', label: window => `Turnover ${window}d` },
  max: { title: 'Range', label: window => `High ${window}d` },
  min: { title: 'Range', label: window => `Low ${window}d` },
  zscore: { title: 'Z-score', label: window => `Z-score ${window}` },
  stoch: { title: 'Stochastic oscillator', label: window => `Stochastic ${window}` },
  atr: { title: 'True range', label: window => `ATR ${window}` },
  beta: { title: 'Beta', label: window => `Beta ${window}d` },
  corr: { title: 'Correlation', label: window => `Correlation ${window}d` },
};

const SINGLES: Readonly<Record<string, string>> = {
  price: 'Price',
  symbol: 'Asset',
  datetimeUTC: 'Day',
  open: 'Open',
  high: 'High',
  low: 'Low',
  volume: 'Volume',
  turnover: 'Turnover',
  rank: 'Rank',
  supply: 'Supply',
  market_cap: 'Market cap',
  history: 'Days of history',
  macd: 'MACD',
  macd_signal: 'MACD signal',
  macd_hist: 'MACD histogram',
  stoch14_d: 'Stochastic %D',
  bb20_upper: 'Bollinger upper',
  bb20_lower: 'Bollinger lower',
  bb20_pct: 'Bollinger %B',
  bb20_width: 'Bollinger width',
  from_max365: 'From high 365d',
  from_min365: 'From low 365d',
  ath: 'All-time high',
  ath_at: 'Day of all-time high',
  from_ath: 'From all-time high',
};

/** `Change 7d` for change7; a column that the page has never heard of has its own name. */
export function columnLabel(name: string): string {
  const [, letters = '', window] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  return (window && FAMILIES[letters]?.label(window)) || (SINGLES[name] ?? name);
}

/** `Change` for change7, null for a column that stands alone. */
export function familyTitle(name: string): string | null {
  return FAMILIES[name.replace(/\d+$/, '')]?.title ?? null;
}

/** A change of price, which has a direction; a volatility or an oscillator has none. */
export function hasDirection(column: ColumnFacts): boolean {
  return column.unit === 'percent' && /^(?:change|from_|mdd)/.test(column.name);
}

/** Sums that are read by their size. */
const LARGE = /^(?:market_cap|turnover\d*|supply|volume)$/;

export function formatCell(column: ColumnFacts, value: Cell | undefined): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDay(value) : value;
  if (LARGE.test(column.name)) return formatLarge(value);
  if (column.type === 'integer') return formatCount(value);
  switch (column.unit) {
    case 'percent':
      // Charts and traders write an RSI without a sign.
      if (column.name.startsWith('rsi')) return formatNumber(value);
      return hasDirection(column) ? formatPercent(value) : formatShare(value);
    case 'percent per year':
      return formatShare(value);
    case 'USD':
      return formatPrice(value);
    default:
      return formatNumber(value);
  }
}
