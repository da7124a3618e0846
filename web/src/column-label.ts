// Short names of columns, for headers and sentences. What a column means, its unit and its formula come from the catalogue.

import type { Cell } from './api.ts';
import type { ColumnFacts } from './catalog.ts';
import { formatDay, formatNumber, formatPercent, formatPrice, formatShare, NOTHING } from './format.ts';

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
  sharpe: { title: 'Sharpe ratio', label: window => `Sharpe ${window}` },
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

export function formatCell(column: ColumnFacts, value: Cell | undefined): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDay(value) : value;
  switch (column.unit) {
    case 'percent':
      return hasDirection(column) ? formatPercent(value) : formatShare(value);
    case 'percent per year':
      return formatShare(value);
    case 'USD':
      return formatPrice(value);
    default:
      return formatNumber(value);
  }
}
