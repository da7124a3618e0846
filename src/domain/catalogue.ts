// The catalogue: every column of every dataset, in row order. A column is one entry here; `indicators.ts` says what is common to the
// columns of a kernel. Labels, metadata, OpenAPI, docs, the stored state and the days that a row reads are derived from the entries.

import {
  type Column,
  type FlagColumn,
  hasKernel,
  type IndicatorColumn,
  type KernelColumn,
  type MarketColumn,
  needsBars,
  type OptionalColumn,
  type PriceColumn,
  type TextColumn,
} from './columns.ts';
import {
  allTimeHigh,
  atr,
  beta,
  bollinger,
  change,
  drawdown,
  ema,
  extremes,
  macd,
  meanTurnover,
  own,
  rsi,
  sharpe,
  sma,
  stochastic,
  turnover,
  variance,
  volatility,
} from './indicators.ts';
import { OWN_DEFINITIONS } from './own/definitions.ts';
import { refuseBuiltIn } from './own/parse-definitions.ts';

const datetimeUTC = {
  ...timeColumn('datetimeUTC', 'Start of the UTC day of the latest close, ISO 8601', false),
  label: 'Day',
  milliseconds: true,
} as const;

/** The columns of every row of a listing. */
export const COLUMNS: readonly Column[] = [
  datetimeUTC,
  { ...textColumn('symbol', 'Ticker of the asset', false), label: 'Asset' },
  { ...priceColumn('price', 'Latest daily close (C₀)', false), label: 'Price' },
  ...[1, 5, 7, 10, 20, 30, 50, 90, 180, 365].map(change),
  ...[5, 7, 10, 20, 30, 50, 100, 200, 365].map(sma),
  ...[5, 7, 10, 20, 30, 50].map(variance),
  ...[5, 7, 10, 20, 30, 50].map(volatility),
];

/** The computed columns, in catalogue order: an indicator's index here is its index in every table of values. */
export const INDICATORS: readonly IndicatorColumn[] = COLUMNS.filter(column => 'family' in column);

const BUILT_IN_OPTIONAL: readonly OptionalColumn[] = [
  ofBar('open', 'Open', 'USD', 'Open'),
  ofBar('high', 'High', 'USD', 'High'),
  ofBar('low', 'Low', 'USD', 'Low'),
  ofBar('volume', 'Volume', 'units of the asset', 'Traded volume'),
  turnover,
  meanTurnover(30),
  {
    ...fact(
      'rank',
      'Rank',
      null,
      'Rank by market capitalisation, 1 being the largest; null if no source ranks the asset',
    ),
    type: 'integer',
  },
  fact('supply', 'Supply', 'units of the asset', 'Circulating supply; null if no source gives it'),
  {
    ...fact('market_cap', 'Market cap', 'USD', 'Market capitalisation; null without a supply'),
    formula: 'C₀ · supply',
  },
  {
    ...{ name: 'history', label: 'Days of history', kind: 'market', type: 'integer', group: 'market' },
    ...{ unit: 'days', nullable: false, description: 'Days from the first close to the latest, both included' },
    ...{ kernel: 'history', length: 1, output: 'value' },
  },
  ema(10),
  ema(12),
  ema(20),
  ema(26),
  ema(50),
  ema(100),
  ema(200),
  ...macd(),
  rsi(7),
  rsi(14),
  rsi(21),
  ...bollinger(20),
  ...stochastic(14),
  atr(14),
  drawdown(30),
  drawdown(90),
  drawdown(365),
  sharpe(90),
  sharpe(365),
  ...beta(90),
  ...extremes(365),
  ...allTimeHigh(),
  quality('sources', 'Sources', null, 'Sources whose bars the store has of the asset'),
  quality('gaps365', 'Gaps', null, 'Gaps in the daily bars of the last 365 days, each of one or more days'),
  quality(
    'stale',
    'Stale days',
    'days',
    'Days without a bar while the market goes on, if they are more than 3, else 0',
  ),
  quality(
    'findings30',
    'Findings (30 d)',
    null,
    'Open findings about the daily bars of the last 30 days, without `stale`',
  ),
  quality(
    'findings365',
    'Findings (365 d)',
    null,
    'Open findings about the daily bars of the last 365 days, without `stale`',
  ),
];

refuseBuiltIn(
  OWN_DEFINITIONS,
  [...COLUMNS, ...BUILT_IN_OPTIONAL].map(({ name }) => name),
);

/** The columns that a row has only when a client asks for them; those of the settings file last. */
export const OPTIONAL_COLUMNS: readonly OptionalColumn[] = [...BUILT_IN_OPTIONAL, ...OWN_DEFINITIONS.map(own)];

/** The optional columns that are computed from bars: an index here is an index into a table of them. */
export const OPTIONAL_COMPUTED: readonly KernelColumn[] = OPTIONAL_COLUMNS.filter(hasKernel);

/** What a publication stores of each row besides its day, its history and its price: an index here is an index into its values. */
export const PUBLISHED_COLUMNS: readonly KernelColumn[] = [...INDICATORS, ...OPTIONAL_COMPUTED.filter(needsBars)];

/** The columns of the asset list. */
export const ASSET_COLUMNS = [
  textColumn('id', 'Slug `<symbol>-<name>`, the id of the profile', false),
  textColumn('name', 'Name of the asset', false),
  textColumn('symbol', 'Ticker of the asset', false),
  {
    name: 'rank',
    kind: 'count',
    type: 'integer',
    unit: null,
    nullable: true,
    description: 'Rank by market capitalisation, 1 is the largest; null if no source ranks the asset',
    current: true,
  },
  flagColumn('is_new', 'The first close is at most 5 days old'),
  flagColumn(
    'is_active',
    'The latest close is at most 7 days older than the newest in the store, and the asset is not delisted',
  ),
  textColumn('type', 'Category, such as `coin` or `token`', true),
  timeColumn('first_data_at', 'Start of the UTC day of the first close', true),
  timeColumn('last_data_at', 'Start of the UTC day of the latest close', true),
] as const satisfies readonly Column[];

const UNKNOWN_ON_A_DAY = 'null if it is unknown for a day of the bar';

/** The columns of the bars. */
export const BAR_COLUMNS = [
  {
    ...datetimeUTC,
    description: 'Start of the first UTC day of the bar: of the day, of Monday, or of the first of the month',
  },
  priceColumn('open', `Open of the first day; ${UNKNOWN_ON_A_DAY}`, true),
  priceColumn('high', `Highest price; ${UNKNOWN_ON_A_DAY}`, true),
  priceColumn('low', `Lowest price; ${UNKNOWN_ON_A_DAY}`, true),
  priceColumn('close', 'Close of the latest day', false),
  {
    name: 'volume',
    kind: 'volume',
    type: 'number',
    unit: 'units of the asset',
    nullable: true,
    description: `Traded volume, the sum of all days; ${UNKNOWN_ON_A_DAY}`,
  },
] as const satisfies readonly Column[];

/** A number of the bar of the day. */
function ofBar(name: 'open' | 'high' | 'low' | 'volume', label: string, unit: string, what: string): MarketColumn {
  const description = `${what} of the UTC day of the price; null if the source does not give it`;
  return { ...marketColumn(name, label, unit, description), kernel: 'bar', length: 1, output: name };
}

/** What a source says of the asset. */
function fact(name: string, label: string, unit: string | null, what: string): MarketColumn {
  return { ...marketColumn(name, label, unit, `${what}, and on days before it was first recorded`), current: true };
}

/** What is known about the daily bars now. Days count back from the newest close of all assets. */
function quality(name: string, label: string, unit: string | null, what: string): MarketColumn {
  const description = `${what}; null for other intervals than days, and in \`ta-hist\``;
  return { ...marketColumn(name, label, unit, description), type: 'integer', group: 'quality', current: true };
}

function marketColumn(name: string, label: string, unit: string | null, description: string) {
  const kind = { kind: 'market', type: 'number', group: 'market' } as const;
  return { name, label, ...kind, unit, nullable: true, description };
}

function priceColumn<const N extends string>(name: N, description: string, nullable: boolean): PriceColumn<N> {
  return { name, kind: 'price', type: 'number', unit: 'USD', nullable, description };
}

export function textColumn<const N extends string>(name: N, description: string, nullable: boolean): TextColumn<N> {
  return { name, kind: 'text', type: 'string', unit: null, nullable, description };
}

export function timeColumn<const N extends string>(name: N, description: string, nullable: boolean): TextColumn<N> {
  return { ...textColumn(name, description, nullable), kind: 'time' };
}

function flagColumn<const N extends string>(name: N, description: string): FlagColumn<N> {
  return { name, kind: 'flag', type: 'boolean', unit: null, nullable: false, description };
}
