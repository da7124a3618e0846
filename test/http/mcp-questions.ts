// Twenty questions in plain words, each with the call of a tool that answers it, and the answer by plain arithmetic over CSV.

export type CsvRow = Readonly<Record<string, string>>;

/** The CSV answers of the REST API that an answer is computed from. */
export interface CsvData {
  readonly current: readonly CsvRow[];
  /** Of 2026-01-31. */
  readonly january: readonly CsvRow[];
  readonly assets: readonly CsvRow[];
  /** Of the asset aldm-aldermoor, from 2026-01-01. */
  readonly history: readonly CsvRow[];
}

export interface Question {
  readonly question: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the answer must contain: of `screen_assets` the number of matches and the first tickers, of others the texts. */
  readonly expected: (data: CsvData) => Screened | readonly string[];
}

export interface Screened {
  readonly matches: number;
  readonly symbols: readonly string[];
}

const LIMIT = 20;

type Test = (row: (name: string) => number) => boolean;

/** An empty field is NaN, with which every comparison is false. */
function numbers(row: CsvRow): (name: string) => number {
  return name => (row[name] === '' || row[name] === undefined ? Number.NaN : Number(row[name]));
}

/** Kept rows, sorted by a column; equal ones by ticker, missing values last. */
function screened(
  rows: readonly CsvRow[],
  keep: Test,
  by: string,
  order: 'asc' | 'desc' = 'desc',
  limit = LIMIT,
): Screened {
  const kept = rows.filter(row => keep(numbers(row)));
  const value = (row: CsvRow) => numbers(row)(by);
  const sorted = kept.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    const sign = order === 'asc' ? 1 : -1;
    return sign * (x - y) || Buffer.compare(Buffer.from(a['symbol']!), Buffer.from(b['symbol']!));
  });
  return { matches: kept.length, symbols: sorted.slice(0, limit).map(row => row['symbol']!) };
}

function screen(
  question: string,
  values: Readonly<Record<string, unknown>>,
  keep: Test,
  by: string,
  order: 'asc' | 'desc' = 'desc',
): Question {
  const sorting = { sort: by, ...(order === 'asc' ? { order } : {}) };
  const limit = typeof values['limit'] === 'number' ? values['limit'] : LIMIT;
  return {
    question,
    tool: 'screen_assets',
    arguments: { ...values, ...sorting },
    expected: ({ current }) => screened(current, keep, by, order, limit),
  };
}

const rounded = (value: number) => String(Number(value.toPrecision(6)));
const bySymbol = (rows: readonly CsvRow[], symbol: string) => rows.find(row => row['symbol'] === symbol)!;

export const QUESTIONS: readonly Question[] = [
  screen(
    'Which large caps are oversold but above their 200-day average?',
    { where: 'market_cap > 1e9 and (rsi14 < 30 or stoch14 < 20) and price > sma200' },
    c => c('market_cap') > 1e9 && (c('rsi14') < 30 || c('stoch14') < 20) && c('price') > c('sma200'),
    'rsi14',
    'asc',
  ),
  {
    question: 'What are the five largest assets?',
    tool: 'screen_assets',
    arguments: { limit: 5 },
    expected: ({ current }) => screened(current, () => true, 'rank', 'asc', 5),
  },
  screen(
    'Which assets are within 5 % of their all-time high?',
    { where: 'from_ath >= -5' },
    c => c('from_ath') >= -5,
    'market_cap',
  ),
  screen(
    'Which assets trade more than 10 million USD a day and never fell by more than 20 % within 90 days?',
    { where: 'turnover30 > 1e7 and mdd90 > -20' },
    c => c('turnover30') > 1e7 && c('mdd90') > -20,
    'turnover30',
  ),
  screen(
    'Where has the MACD crossed above its signal while the RSI is not overbought?',
    { where: 'macd > macd_signal and macd < 0 and rsi14 <= 70' },
    c => c('macd') > c('macd_signal') && c('macd') < 0 && c('rsi14') <= 70,
    'rank',
    'asc',
  ),
  screen(
    'Which assets rose by more than 10 % in a week?',
    { where: 'change7 > 10' },
    c => c('change7') > 10,
    'change7',
  ),
  screen('What are the five biggest losers of the last 30 days?', { limit: 5 }, () => true, 'change30', 'asc'),
  screen(
    'Which assets trade above both their 50-day and their 200-day average?',
    { where: 'price > sma50 and price > sma200' },
    c => c('price') > c('sma50') && c('price') > c('sma200'),
    'change30',
  ),
  screen(
    'Where has the 50-day average just risen above the 200-day average, by at most 2 %?',
    { where: 'sma50 between sma200 and 1.02 * sma200' },
    c => c('sma50') >= c('sma200') && c('sma50') <= 1.02 * c('sma200'),
    'change30',
  ),
  screen(
    'How many assets lost money over the last year?',
    { where: 'change365 < 0', limit: 1 },
    c => c('change365') < 0,
    'change365',
    'asc',
  ),
  screen(
    'How many assets have less than a year of history?',
    { where: 'change365 is null', limit: 1 },
    c => Number.isNaN(c('change365')),
    'change30',
  ),
  screen(
    'Which assets are within 2 % of their 200-day average?',
    { where: 'abs(price / sma200 - 1) < 0.02' },
    c => Math.abs(c('price') / c('sma200') - 1) < 0.02,
    'vol30',
    'asc',
  ),
  screen(
    'Which assets fell today although they are up over the week and the month?',
    { where: 'change1 < 0 and change7 > 0 and change30 > 0' },
    c => c('change1') < 0 && c('change7') > 0 && c('change30') > 0,
    'change30',
  ),
  screen(
    'Where is the volatility of the last week at least half as high again as that of the last 50 days?',
    { where: 'vol7 >= 1.5 * vol50 and vol50 > 0' },
    c => c('vol7') >= 1.5 * c('vol50') && c('vol50') > 0,
    'vol7',
  ),
  {
    question: 'Which of ALDM and KSTL did better over 90 days?',
    tool: 'screen_assets',
    arguments: { where: "symbol in ('ALDM','KSTL')", sort: 'change90', columns: ['change90'] },
    expected: ({ current }) => {
      const rows = ['ALDM', 'KSTL'].map(symbol => bySymbol(current, symbol));
      return screened(rows, () => true, 'change90');
    },
  },
  {
    question: 'What were the top gainers of the month at the end of January 2026?',
    tool: 'screen_assets',
    arguments: { sort: 'change30', as_of: '2026-01-31', limit: 5 },
    expected: ({ january }) => screened(january, () => true, 'change30', 'desc', 5),
  },
  {
    question: 'What is the id of Aldermoor, and since when does it have prices?',
    tool: 'search_assets',
    arguments: { text: 'aldermoor' },
    expected: ({ assets }) => {
      const { id, symbol, first_data_at: first } = assets.find(({ name }) => name === 'Aldermoor')!;
      return [`${id},${symbol},Aldermoor`, first!.slice(0, 10)];
    },
  },
  {
    question: 'What is the price of ALDM now, and where is its 200-day average?',
    tool: 'get_asset',
    arguments: { asset: 'ALDM' },
    expected: ({ current }) => {
      const cell = numbers(bySymbol(current, 'ALDM'));
      return [`price USD ${rounded(cell('price'))}`, `sma200 USD ${rounded(cell('sma200'))}`];
    },
  },
  {
    question: 'What were the highest and the lowest price of Aldermoor in 2026?',
    tool: 'get_history',
    arguments: { asset: 'aldm-aldermoor', from: '2026-01-01' },
    expected: ({ history }) => {
      const prices = history.map(row => Number(row['price']));
      return [`lowest ${rounded(Math.min(...prices))} (`, `highest ${rounded(Math.max(...prices))} (`];
    },
  },
  {
    question: 'What does vol30 mean, and in which unit is it?',
    tool: 'describe_columns',
    arguments: { group: 'volatility' },
    expected: () => ['vol30', '[percent per year]', '√365'],
  },
];
