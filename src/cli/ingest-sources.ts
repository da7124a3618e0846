// The sources that `tidemark ingest` knows: their arguments, their flags, and how each is made from them.

import { parseInterval } from '../common/interval.ts';
import { nearest } from '../common/nearest.ts';
import { type Day, dayFromIso } from '../domain/day.ts';
import { BASE_INTERVALS, type BaseInterval } from '../domain/interval.ts';
import { ccxtSource } from '../ingest/ccxt/ccxt-source.ts';
import { exchangeNames } from '../ingest/ccxt/exchange.ts';
import { coinpaprikaSource } from '../ingest/coinpaprika/coinpaprika-source.ts';
import { COLUMN_ROLES } from '../ingest/csv/columns.ts';
import { FILE_FORMATS } from '../ingest/csv/csv-options.ts';
import { csvSource } from '../ingest/csv/csv-source.ts';
import { FORMATS } from '../ingest/csv/file-formats.ts';
import { demoSource } from '../ingest/demo/demo-source.ts';
import { factsSource } from '../ingest/facts/facts-source.ts';
import type { LiveOptions } from '../ingest/live/live-load.ts';
import { profilesSource } from '../ingest/profiles/profiles-source.ts';
import { retentionOf } from '../ingest/retention.ts';
import type { Source } from '../ingest/source.ts';
import type { Store } from '../store/store.ts';
import { type CommandOption, type Invocation, UsageError } from './command.ts';
import { DEMO_STORE } from './demo-url.ts';

export interface SourceKind {
  readonly usage: string;
  readonly about: string;
  /** Help that the source itself must be asked for, such as the names of the exchanges. */
  moreHelp?(): string;
  /** It skips profiles that the store has: `hasProfile` is asked. */
  readonly skipsStoredProfiles?: true;
  readonly options: Readonly<Record<string, CommandOption>>;
  make(invocation: Invocation, hasProfile: (id: string) => boolean): Source;
  /** It runs until it is stopped, and this is what it needs. */
  readonly live?: (invocation: Invocation) => LiveChoice;
  /** It does not bring bars or profiles: this is done instead of a load. */
  readonly enter?: (store: Store, invocation: Invocation) => Promise<number>;
}

export type LiveChoice = Pick<
  LiveOptions,
  'exchanges' | 'quotes' | 'symbols' | 'since' | 'everyMs' | 'minutes' | 'retention'
>;

const columnOptions = Object.fromEntries(
  COLUMN_ROLES.map(role => [
    `${role}-column`,
    { placeholder: 'NAME', doc: `The column of the ${role}, by name or by number from 1` },
  ]),
);

const INTERVAL_NAMES = BASE_INTERVALS.join('|');

const SINCE: CommandOption = { placeholder: 'DAY', doc: 'The oldest day to pull, such as 2020-01-01' };

const LIVE_QUOTES = 'USDT,USD';

const NO_RECORDS: Source = { name: 'actions', profiles: async function* () {}, bars: async function* () {} };

export const SOURCES: Readonly<Record<string, SourceKind>> = {
  csv: {
    usage: 'csv FILE…',
    about:
      'Days, hours or minutes from files, folders or standard input (-), gzip and zip too; columns are found by their header',
    moreHelp: () => `Formats:\n${FILE_FORMATS.map(name => `  ${name.padEnd(10)} ${FORMATS[name].doc}`).join('\n')}`,
    options: {
      format: { placeholder: 'NAME', doc: `Files as a provider writes them: ${FILE_FORMATS.join(', ')}` },
      source: {
        placeholder: 'NAME',
        doc: 'The name under which the bars are kept beside those of other sources (default csv)',
      },
      symbol: { placeholder: 'TICKER', doc: 'The asset of the one file, which does not name it' },
      'symbol-from-name': { doc: 'Each file holds one asset and is named by it: btc.csv, BTC-USD.csv' },
      'name-pattern': {
        placeholder: 'TEXT',
        doc: "Where in the names, such as '{symbol}_daily.csv', or a regular expression with one group",
      },
      ...columnOptions,
      'date-format': { placeholder: 'FORM', doc: 'The order of a date, such as MM/DD/YYYY or DD/MM/YY' },
      decimal: { placeholder: 'SIGN', doc: 'The sign before decimals: . or , (for numbers such as 1,234)' },
      delimiter: { placeholder: 'SIGN', doc: 'What separates cells (default: what the header shows)' },
      'no-header': { doc: 'The first line is data; columns are given by number' },
      'volume-in': {
        placeholder: 'UNIT',
        doc: 'What volumes count: base (units of the asset, the default) or quote (dollars)',
      },
      pairs: { doc: 'Symbols are pairs, such as BTCUSDT (default: those that look like one, said at the end)' },
      'no-pairs': { doc: 'Symbols are tickers as they are written, unless they have a slash' },
      interval: {
        placeholder: INTERVAL_NAMES,
        doc: 'What the rows are, or what is made of finer ones (default: as far apart as they are, which the output says)',
      },
      'keep-incomplete': { doc: 'Keep days that lack some of their hours; they are left out otherwise' },
    },
    make: invocation =>
      csvSource(filesOf(invocation, 'closes.csv'), {
        source: text(invocation, 'source'),
        symbol: text(invocation, 'symbol'),
        symbolFromName:
          invocation.options['symbol-from-name'] === true || text(invocation, 'name-pattern') !== undefined,
        namePattern: text(invocation, 'name-pattern'),
        dateFormat: text(invocation, 'date-format'),
        decimal: decimalSign(invocation),
        columns: Object.fromEntries(COLUMN_ROLES.map(role => [role, text(invocation, `${role}-column`)])),
        delimiter: text(invocation, 'delimiter'),
        noHeader: invocation.options['no-header'] === true,
        pairs: pairsOf(invocation),
        volumeIn: oneOf(invocation, 'volume-in', ['base', 'quote']),
        format: oneOf(invocation, 'format', FILE_FORMATS),
        interval: oneOf(invocation, 'interval', BASE_INTERVALS),
        keepIncomplete: invocation.options['keep-incomplete'] === true,
      }),
  },
  ccxt: {
    usage: 'ccxt --exchange NAME --quote USDT [--interval 1m|1h|1d] [--since DAY]',
    about: 'Candles of days, hours or minutes from any exchange that the ccxt library supports',
    moreHelp: () => `Exchanges:\n${wrapped(exchangeNames().join(' '))}`,
    options: {
      exchange: { placeholder: 'NAME', doc: "The exchange, such as kraken ('ingest ccxt --help' lists all)" },
      quote: { placeholder: 'LIST', doc: 'Quote currencies, best first, such as USDT,USD' },
      full: { doc: 'Pull everything since --since again, also what is stored' },
      symbols: { placeholder: 'LIST', doc: 'Only these tickers, such as BTC,ETH' },
      interval: { placeholder: INTERVAL_NAMES, doc: 'Of the candles (default: 1d)' },
      since: SINCE,
    },
    make: invocation => {
      noArguments(invocation);
      const interval = oneOf(invocation, 'interval', BASE_INTERVALS) ?? '1d';
      return ccxtSource({
        exchange: knownExchange(text(invocation, 'exchange')),
        quotes: list(invocation, 'quote') ?? missing('ingest ccxt needs --quote, such as --quote USDT'),
        ...optional('symbols', list(invocation, 'symbols')),
        ...optional('since', day(invocation, 'since')),
        interval,
        ...optional('keptDays', keptDays(invocation, interval)),
        full: invocation.options['full'] === true,
      });
    },
  },
  actions: {
    usage: 'actions FILE',
    about: 'Redenominations and migrations from a CSV file: asset,day,ratio,from_asset,reason',
    options: {},
    make: invocation => {
      filesOf(invocation, 'actions.csv');
      if (invocation.args.length > 2) throw new UsageError('ingest actions takes one file');
      return NO_RECORDS;
    },
    enter: async (store, invocation) => {
      const { addFile } = await import('./asset-actions.ts');
      return addFile(store, invocation.args[1]!, invocation); // `make` has seen that it is there
    },
  },
  live: {
    usage: 'live --exchange NAME[,NAME] [--quote USDT,USD] [--symbols BTC,ETH] [--every 2s] [--minutes]',
    about: 'Live prices of exchanges, until it is stopped; each day is closed from the daily candle',
    options: {
      exchange: { placeholder: 'LIST', doc: 'The exchanges, best first, such as binance,kraken' },
      quote: { placeholder: 'LIST', doc: `Quote currencies, best first (default: ${LIVE_QUOTES})` },
      symbols: { placeholder: 'LIST', doc: 'Only these tickers, such as BTC,ETH' },
      since: SINCE,
      every: { placeholder: 'INTERVAL', doc: 'How often to store new prices (default: 2s)' },
      minutes: { doc: 'Keep bars of a minute, too: made of the ticks, and once per day replaced by the candles' },
      'if-free': { doc: 'Do nothing when another process follows live prices into the same store' },
    },
    make: invocation => {
      const { exchanges, ...choice } = liveChoice(invocation);
      return ccxtSource({ ...choice, ...exchanges[0]! });
    },
    live: liveChoice,
  },
  coinpaprika: {
    usage: 'coinpaprika',
    about: 'Assets, ranks, profiles and prices from CoinPaprika, without a key or with one',
    skipsStoredProfiles: true,
    options: {
      'paprika-key': {
        placeholder: 'KEY',
        doc: 'Key of a paid plan (better in TIDEMARK_PAPRIKA_KEY, where no process list shows it)',
      },
      since: SINCE,
      assets: { placeholder: 'LIST', doc: 'Only these ids, such as btc-bitcoin' },
      limit: { placeholder: 'N', doc: 'How many of the best-ranked (default 2000)' },
      'refresh-profiles': { doc: 'Pull profiles again that are stored already' },
      details: { placeholder: 'N', doc: 'For how many of them profiles and closes' },
    },
    make: (invocation, hasProfile) => {
      noArguments(invocation);
      return coinpaprikaSource({
        ...optional('hasProfile', invocation.options['refresh-profiles'] === true ? undefined : hasProfile),
        ...optional('apiKey', text(invocation, 'paprika-key') ?? process.env['TIDEMARK_PAPRIKA_KEY']),
        ...optional('assets', list(invocation, 'assets')),
        ...optional('limit', integer(invocation, 'limit')),
        ...optional('details', integer(invocation, 'details')),
        ...optional('since', day(invocation, 'since')),
      });
    },
  },
  profiles: {
    usage: 'profiles FILE…',
    about: "Asset profiles from JSON or NDJSON files: CoinPaprika's /coins/{id} or CoinGecko's /coins/{id}",
    options: {},
    make: invocation => profilesSource(filesOf(invocation, 'profiles.json')),
  },
  facts: {
    usage: 'facts FILE…',
    about:
      'Market caps, supplies and ranks of past days from CSV files, as CoinGecko and CoinPaprika export them; of assets that the store has',
    options: {
      symbol: { placeholder: 'TICKER', doc: 'The asset of the one file, which does not name it' },
      asset: { placeholder: 'ID', doc: 'The same by its id, such as btc-bitcoin' },
      'date-format': { placeholder: 'FORM', doc: 'The order of a date, such as MM/DD/YYYY or DD/MM/YY' },
      decimal: { placeholder: 'SIGN', doc: 'The sign before decimals: . or , (for numbers such as 1,234)' },
    },
    make: invocation =>
      factsSource(filesOf(invocation, 'btc-market-caps.csv'), {
        ...optional('symbol', text(invocation, 'symbol')),
        ...optional('asset', text(invocation, 'asset')),
        ...optional('dateFormat', text(invocation, 'date-format')),
        ...optional('decimal', decimalSign(invocation)),
      }),
  },
  demo: {
    usage: 'demo',
    about: `The simulated universe, with 90 days of hours and 2 of minutes, into ${DEMO_STORE} unless --store says otherwise`,
    options: {},
    make: invocation => {
      noArguments(invocation);
      return demoSource({ withHours: true });
    },
  },
};

function liveChoice(invocation: Invocation): LiveChoice {
  noArguments(invocation);
  const names = list(invocation, 'exchange') ?? missing('ingest live needs --exchange, such as --exchange binance');
  const every = text(invocation, 'every') ?? '2s';
  return {
    exchanges: names.map(name => ({ exchange: knownExchange(name) })),
    quotes: list(invocation, 'quote') ?? LIVE_QUOTES.split(','),
    minutes: invocation.options['minutes'] === true,
    retention: retentionOf(invocation.config),
    everyMs: parseInterval(every) ?? missing(`--every: expected an interval such as 2s, got ${JSON.stringify(every)}`),
    ...optional('symbols', list(invocation, 'symbols')),
    ...optional('since', day(invocation, 'since')),
  };
}

/** Refuses a flag that belongs to another source: it would be ignored, and the load not be the one that was meant. */
export function checkFlags(name: string, kind: SourceKind, options: Invocation['options']): void {
  const others = Object.values(SOURCES).flatMap(source => Object.keys(source.options));
  const stray = others.find(flag => options[flag] !== undefined && !(flag in kind.options));
  if (stray !== undefined) throw new UsageError(`ingest ${name} has no flag --${stray}; it belongs to another source`);
}

/** `text` in lines of at most 100 characters. */
function wrapped(text: string): string {
  return text.replace(/(.{1,98})(?: |$)/g, '  $1\n').trimEnd();
}

function knownExchange(name: string | undefined): string {
  if (name === undefined) return missing('ingest ccxt needs --exchange, such as --exchange binance');
  const known = exchangeNames();
  if (known.includes(name.toLowerCase())) return name;
  const meant = nearest(name.toLowerCase(), known);
  const hint = meant === null ? "'tidemark ingest ccxt --help' lists all" : `did you mean ${meant}?`;
  return missing(`--exchange: there is no exchange ${JSON.stringify(name)}; ${hint}`);
}

function decimalSign(invocation: Invocation): '.' | ',' | undefined {
  const sign = text(invocation, 'decimal');
  if (sign === undefined || sign === '.' || sign === ',') return sign;
  throw new UsageError(`--decimal: expected . or , but got ${JSON.stringify(sign)}`);
}

function pairsOf({ options }: Invocation): boolean | undefined {
  if (options['pairs'] === true && options['no-pairs'] === true) {
    throw new UsageError('--pairs and --no-pairs exclude each other');
  }
  if (options['pairs'] === true) return true;
  return options['no-pairs'] === true ? false : undefined;
}

function oneOf<T extends string>(invocation: Invocation, name: string, known: readonly T[]): T | undefined {
  const value = text(invocation, name);
  const found = known.find(each => each === value?.toLowerCase());
  if (value === undefined || found !== undefined) return found;
  const meant = nearest(value.toLowerCase(), known);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  throw new UsageError(`--${name}: expected ${known.join(', ')}, got ${JSON.stringify(value)}${hint}`);
}

function missing(message: string): never {
  throw new UsageError(message);
}

function filesOf({ args }: Invocation, example: string): readonly string[] {
  const files = args.slice(1);
  if (files.length > 0) return files;
  throw new UsageError(`ingest ${args[0]} needs files or folders (or - for standard input), such as ${example}`);
}

function noArguments({ args }: Invocation): void {
  if (args.length > 1) throw new UsageError(`ingest ${args[0]} takes no argument, but got ${JSON.stringify(args[1])}`);
}

function text({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

function list(invocation: Invocation, name: string): string[] | undefined {
  const items = text(invocation, name)
    ?.split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
  if (items?.length === 0) throw new UsageError(`--${name}: expected a list such as A,B`);
  return items;
}

function integer(invocation: Invocation, name: string): number | undefined {
  const value = text(invocation, name);
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name}: expected a whole number from 1, got ${JSON.stringify(value)}`);
  return Number(value);
}

function day(invocation: Invocation, name: string): Day | undefined {
  const value = text(invocation, name);
  if (value === undefined) return undefined;
  const parsed = dayFromIso(value);
  if (parsed === null)
    throw new UsageError(`--${name}: expected a day such as 2020-01-01, got ${JSON.stringify(value)}`);
  return parsed;
}

/** Undefined: for ever. */
function keptDays({ config }: Invocation, interval: BaseInterval): number | undefined {
  const days = interval === '1d' ? 0 : retentionOf(config)[interval];
  return days === 0 ? undefined : days;
}

/** An optional member of a source's options: absent, not undefined, when nothing was given. */
function optional<Name extends string, T>(name: Name, value: T | undefined): { readonly [K in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in Name]?: T }); // a computed name widens to string
}
