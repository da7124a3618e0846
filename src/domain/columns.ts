// The catalogue: every column of every dataset, in row order. The kernels, the store, the query parser, JSON, CSV, metadata,
// OpenAPI, the docs and the explorer read it; nothing repeats it.

/** What is computed alike: one kernel each in `indicators/kernels/`. */
export type IndicatorKind = 'change' | 'sma' | 'var' | 'vol';

export interface ColumnFacts<Name extends string> {
  readonly name: Name;
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly description: string;
}

export interface TextColumn<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: 'time' | 'text';
  readonly type: 'string';
  /** A time is written with milliseconds, as the listing's rows have it; otherwise without, as a profile has it. */
  readonly milliseconds?: true;
}

/** A column without further attributes. */
interface PlainColumn<Kind extends string, Type extends string, Name extends string> extends ColumnFacts<Name> {
  readonly kind: Kind;
  readonly type: Type;
}

export type PriceColumn<Name extends string = string> = PlainColumn<'price', 'number', Name>;
/** Units of an asset that were traded, or a figure that summarises a column of a listing. */
type FigureColumn = PlainColumn<'volume' | 'statistic', 'number', string>;
interface WithoutPast {
  /** It depends on facts of the asset that have no history: null in histories and on past days. */
  readonly current?: true;
}

/** Whole numbers such as a rank. */
type CountColumn = PlainColumn<'count', 'integer', string> & WithoutPast;
export type FlagColumn<Name extends string = string> = PlainColumn<'flag', 'boolean', Name>;
/** An object, which CSV has as its JSON text. */
type JsonColumn = PlainColumn<'json', 'object', string>;

export interface IndicatorColumn<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: IndicatorKind;
  readonly type: 'number';
  /** Length in days. */
  readonly window: number;
  readonly formula: string;
  /** Daily closes needed for a full window. */
  readonly minHistory: number;
}

/** A column that a request computes by its `calc` parameter. */
export interface ComputedColumn<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: 'computed';
  readonly type: 'number';
  /** The expression, in its canonical form. */
  readonly formula: string;
}

/** Names of groups that a client may ask for instead of names of columns. */
export const COLUMN_GROUPS = {
  market: 'Prices, volume, turnover and size of the day',
  trend: 'Exponential moving averages and MACD',
  momentum: 'RSI, z-score, Bollinger bands and stochastic oscillator',
  risk: 'True range, drawdowns, Sharpe ratios, beta and correlation',
  range: 'Highest and lowest closes, and the distance from them',
} as const satisfies Readonly<Record<string, string>>;

export type ColumnGroup = keyof typeof COLUMN_GROUPS;

/** A figure that a source gives, or a simple product of such figures. */
export interface MarketColumn<Name extends string = string> extends ColumnFacts<Name>, WithoutPast {
  readonly kind: 'market';
  readonly type: 'number' | 'integer';
  readonly group: ColumnGroup;
  readonly formula?: string;
}

/** What is computed alike: one kernel each in `indicators/kernels/`. */
export type OptionalKind =
  | 'turnover'
  | 'ema'
  | 'macd'
  | 'rsi'
  | 'bollinger'
  | 'stochastic'
  | 'atr'
  | 'drawdown'
  | 'sharpe'
  | 'beta'
  | 'extremes'
  | 'allTimeHigh';

export interface OptionalIndicator<Name extends string = string> extends ColumnFacts<Name> {
  readonly kind: OptionalKind;
  readonly type: 'number';
  readonly group: ColumnGroup;
  /** Length in days; null: the whole history. */
  readonly window: number | null;
  readonly formula: string;
  /** Daily closes needed for a value. */
  readonly minHistory: number;
}

/** The start of a UTC day. */
export interface OptionalDay<Name extends string = string> extends TextColumn<Name> {
  readonly kind: 'time';
  readonly group: ColumnGroup;
  readonly window: null;
  readonly formula: string;
  readonly minHistory: number;
}

export type OptionalColumn = MarketColumn | OptionalIndicator | OptionalDay;

export type Column =
  | TextColumn
  | PriceColumn
  | FigureColumn
  | IndicatorColumn
  | CountColumn
  | FlagColumn
  | ComputedColumn
  | JsonColumn
  | OptionalColumn;

/** Whether its values of past days are unknown. */
export function hasNoPast(column: Column): boolean {
  return 'current' in column && column.current === true;
}

/** Whether a row has the column only if the request asks for it. */
export function isOptional(column: Column): column is OptionalColumn {
  return 'group' in column;
}

function indicator<const K extends IndicatorKind, const W extends number>(
  kind: K,
  window: W,
  facts: Pick<IndicatorColumn, 'unit' | 'nullable' | 'description' | 'formula' | 'minHistory'>,
): IndicatorColumn<`${K}${W}`> {
  return { name: `${kind}${window}`, kind, type: 'number', window, ...facts };
}

function change<const W extends number>(window: W): IndicatorColumn<`change${W}`> {
  return indicator('change', window, {
    unit: 'percent',
    nullable: true,
    description: `Change of the price over ${days(window)}; null if the history is shorter`,
    formula: `(C₀ / C${subscript(window)} − 1) · 100`,
    minHistory: window + 1,
  });
}

function sma<const W extends number>(window: W): IndicatorColumn<`sma${W}`> {
  return indicator('sma', window, {
    unit: 'USD',
    nullable: false,
    description: `Simple moving average of the last ${window} daily closes, or of all available ones`,
    formula: `mean(C₀ … C${subscript(window - 1)})`,
    minHistory: window,
  });
}

function variance<const W extends number>(window: W): IndicatorColumn<`var${W}`> {
  return indicator('var', window, {
    unit: 'USD²',
    nullable: false,
    description: `Population variance of the last ${window} daily closes, or of all available ones; 0 for one close`,
    formula: `mean((Cᵢ − sma${window})²), i = 0 … ${window - 1}`,
    minHistory: window,
  });
}

function volatility<const W extends number>(window: W): IndicatorColumn<`vol${W}`> {
  return indicator('vol', window, {
    unit: 'percent per year',
    nullable: false,
    description:
      `Annualised volatility: sample standard deviation of the last ${window} daily log returns, ` +
      'or of all available ones; 0 for fewer than two returns',
    formula: `stdev(ln(Cᵢ / Cᵢ₊₁)) · √365 · 100, i = 0 … ${window - 1}`,
    minHistory: window + 1,
  });
}

const datetimeUTC = {
  ...timeColumn('datetimeUTC', 'Start of the UTC day of the latest close, ISO 8601', false),
  milliseconds: true,
} as const;

export const COLUMNS = [
  datetimeUTC,
  textColumn('symbol', 'Ticker of the asset', false),
  priceColumn('price', 'Latest daily close (C₀)', false),
  change(1),
  change(5),
  change(7),
  change(10),
  change(20),
  change(30),
  change(50),
  change(90),
  change(180),
  change(365),
  sma(5),
  sma(7),
  sma(10),
  sma(20),
  sma(30),
  sma(50),
  sma(100),
  sma(200),
  sma(365),
  variance(5),
  variance(7),
  variance(10),
  variance(20),
  variance(30),
  variance(50),
  volatility(5),
  volatility(7),
  volatility(10),
  volatility(20),
  volatility(30),
  volatility(50),
] as const satisfies readonly Column[];

export type ColumnName = (typeof COLUMNS)[number]['name'];

/** The computed columns, in catalogue order: an indicator's index here is its index in every table of values. */
export const INDICATORS: readonly (IndicatorColumn & { readonly name: ColumnName })[] = COLUMNS.filter(
  column => 'window' in column,
);

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

function priceColumn<const N extends string>(name: N, description: string, nullable: boolean): PriceColumn<N> {
  return { name, kind: 'price', type: 'number', unit: 'USD', nullable, description };
}

export function textColumn<const N extends string>(name: N, description: string, nullable: boolean): TextColumn<N> {
  return { name, kind: 'text', type: 'string', unit: null, nullable, description };
}

function timeColumn<const N extends string>(name: N, description: string, nullable: boolean): TextColumn<N> {
  return { ...textColumn(name, description, nullable), kind: 'time' };
}

function flagColumn<const N extends string>(name: N, description: string): FlagColumn<N> {
  return { name, kind: 'flag', type: 'boolean', unit: null, nullable: false, description };
}

/** Daily closes that the longest window can use; older ones do not change the current row. */
export const CLOSES_PER_ROW: number = Math.max(...INDICATORS.map(column => column.minHistory));

function days(count: number): string {
  return count === 1 ? 'one day' : `${count} days`;
}

function subscript(count: number): string {
  return String(count).replace(/\d/g, digit => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)] ?? digit);
}
