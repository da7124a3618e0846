// Files as some providers write them: what their columns hold, and where the asset is named, so that no other flag is needed.

import { BASE_INTERVALS, type BaseInterval } from '../../domain/interval.ts';
import type { CsvOptions, FileFormat } from './csv-options.ts';

/** Names in a folder that are taken for CSV files. */
export const CSV_ENDINGS = ['.csv', '.tsv', '.txt'];

interface FormatFacts {
  readonly doc: string;
  readonly options: CsvOptions;
  /** The asset in the name of a file; the file names none itself. Null: the name does not fit. */
  symbolOf?(name: string): string | null;
  /** What the name of a file says of its bars; undefined if it says nothing. Bars longer than a day are read as days. */
  intervalOf?(name: string): BaseInterval | undefined | { readonly problem: string };
}

const BINANCE_NAME = /^([A-Z0-9]+)(?:-(\d+(?:s|m|h|d|w|mo))(?:-[\d-]+)?)?$/i;
/** As data.binance.vision names its files, of a month or a day. */
const BINANCE_FILE = /^[A-Z0-9]+-\d+(?:s|m|h|d|w|mo)-\d{4}-\d{2}(?:-\d{2})?$/i;

/** By the names in `FILE_FORMATS` (csv-options.ts). Another name for a column alone is a matter of `HEADER_NAMES` (columns.ts). */
export const FORMATS: Readonly<Record<FileFormat, FormatFacts>> = {
  yahoo: {
    doc: 'Date, Open, High, Low, Close, Adj Close, Volume; named BTC-USD.csv. Volumes are in dollars',
    options: { pairs: true, volumeIn: 'quote', columns: { close: 'Close' } },
    symbolOf: name => stemOf(name),
  },
  binance: {
    doc: 'klines without a header (open time, open, high, low, close, volume, …); named BTCUSDT-1h-2024-05.csv; zip archives of them need no flag',
    options: { pairs: true, columns: byNumber(1, 2, 3, 4, 5, 6) },
    symbolOf: name => BINANCE_NAME.exec(stemOf(name))?.[1] ?? null,
    intervalOf: name => storedInterval(BINANCE_NAME.exec(stemOf(name))?.[2]),
  },
  kraken: {
    doc: 'OHLCVT without a header (time, open, high, low, close, volume, trades); named XBTUSD_1440.csv',
    options: { pairs: true, columns: byNumber(1, 2, 3, 4, 5, 6) },
    symbolOf: name => {
      const pair = /^([A-Z0-9.]+?)(?:_\d+)?$/i.exec(stemOf(name))?.[1] ?? null;
      return pair === null ? null : pair.replace(/^XBT/i, 'BTC').replace(/^XDG/i, 'DOGE');
    },
    intervalOf: name => {
      const minutes = Number(/_(\d+)$/.exec(stemOf(name))?.[1]);
      if (Number.isNaN(minutes)) return undefined;
      return storedInterval(minutes < 60 ? `${minutes}m` : minutes < 1440 ? `${minutes / 60}h` : '1d');
    },
  },
  cdd: {
    doc: 'CryptoDataDownload: a line with its address, then unix, date, symbol, …, Volume BTC, Volume USDT',
    options: { pairs: true },
  },
  coingecko: {
    doc: 'snapped_at, price, market_cap, total_volume; named btc-usd-max.csv. A price at midnight closes the day before',
    options: {
      volumeIn: 'quote',
      closesAtMidnight: true,
      columns: { day: 'snapped_at', close: 'price', volume: 'total_volume' },
    },
    symbolOf: name => /^(.+?)-usd(?:-[a-z0-9]+)?$/i.exec(stemOf(name))?.[1]?.toUpperCase() ?? null,
  },
};

/** Bars of days and longer are read as days, as their spacing tells. */
function storedInterval(name: string | undefined): BaseInterval | undefined | { readonly problem: string } {
  if (name === undefined || /[dw]|mo$/i.test(name)) return undefined;
  const found = BASE_INTERVALS.find(each => each === name.toLowerCase());
  if (found !== undefined) return found;
  const problem = `by its name the file has bars of ${name}, and the store has bars of ${BASE_INTERVALS.join(', ')}`;
  return { problem: `${problem}: load the file of one of these, or --interval 1d makes days of this one` };
}

/** The options for a file in an archive: those of Binance if it is named so and nobody says what else it is. */
export function formatOfName(name: string, options: CsvOptions): CsvOptions {
  return BINANCE_FILE.test(stemOf(name)) ? withFormat({ ...options, format: 'binance' }) : options;
}

/** Yahoo Finance's files have this column. */
export const YAHOO_COLUMN = /^adj\.? close\*{0,2}$/i;

/** The provider whose files begin with such a row; null if it could be any. */
export function likelyFormat(cells: readonly string[], isData: boolean): FileFormat | null {
  const isUnix = /^\d{9,}$/.test(cells[0] ?? '');
  if (isData && isUnix && cells.length === 12) return 'binance';
  if (isData && isUnix && cells.length === 7) return 'kraken';
  if (isData) return null;
  if (cells.some(name => YAHOO_COLUMN.test(name.trim()))) return 'yahoo';
  return cells.includes('snapped_at') && cells.includes('total_volume') ? 'coingecko' : null;
}

/** The options with those of the format; what was given counts. */
export function withFormat(options: CsvOptions): CsvOptions {
  if (options.format === undefined) return options;
  const { options: own, symbolOf } = FORMATS[options.format];
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const columns = Object.entries(options.columns ?? {}).filter(([, value]) => value !== undefined);
  // Of a symbol that a person gives, its form tells whether it is a pair.
  const pairs = options.symbol === undefined ? own.pairs : undefined;
  const named = options.symbol !== undefined || options.columns?.symbol !== undefined || symbolOf === undefined;
  return {
    ...own,
    pairs,
    ...given,
    columns: { ...own.columns, ...Object.fromEntries(columns) },
    ...(named ? {} : { symbolFromName: true }),
  };
}

function byNumber(day: number, open: number, high: number, low: number, close: number, volume: number) {
  const columns = { day, open, high, low, close, volume };
  return Object.fromEntries(Object.entries(columns).map(([role, number]) => [role, String(number)]));
}

/** Without its folder and its ending. */
function stemOf(name: string): string {
  const file = name.replace(/^.*[/\\]/, '');
  return file.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
}
