// The sources that `tidemark ingest` knows: their arguments, their flags, and how each is made from them.

import { type Day, dayFromIso } from '../domain/day.ts';
import { ccxtSource } from '../ingest/ccxt/ccxt-source.ts';
import { coinpaprikaSource } from '../ingest/coinpaprika/coinpaprika-source.ts';
import { COLUMN_ROLES } from '../ingest/csv/columns.ts';
import { csvSource } from '../ingest/csv/csv-source.ts';
import { demoSource } from '../ingest/demo/demo-source.ts';
import { profilesSource } from '../ingest/profiles/profiles-source.ts';
import type { Source } from '../ingest/source.ts';
import { type CommandOption, type Invocation, UsageError } from './command.ts';

export interface SourceKind {
  readonly usage: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  make(invocation: Invocation, hasProfile: (id: string) => boolean): Source;
}

const columnOptions = Object.fromEntries(
  COLUMN_ROLES.map(role => [
    `${role}-column`,
    {
      type: 'string',
      placeholder: 'NAME',
      doc: `csv: the column of the ${role}, by name or by number from 1`,
    } as const,
  ]),
);

const SINCE: CommandOption = {
  type: 'string',
  placeholder: 'DAY',
  doc: 'ccxt, coinpaprika: the oldest day to pull, such as 2020-01-01',
};

export const SOURCES: Readonly<Record<string, SourceKind>> = {
  csv: {
    usage: 'csv FILE…',
    options: {
      symbol: { type: 'string', placeholder: 'TICKER', doc: 'csv: the asset of files that hold one each' },
      ...columnOptions,
      delimiter: { type: 'string', placeholder: 'SIGN', doc: 'csv: what separates cells (found out by itself)' },
      'no-header': { type: 'boolean', doc: 'csv: the first line is data; columns are given by number' },
      pairs: {
        type: 'boolean',
        doc: 'csv: symbols such as BTCUSDT and BTC-USDT are pairs, also where the header does not prove it',
      },
    },
    make: invocation =>
      csvSource(filesOf(invocation, 'closes.csv'), {
        symbol: text(invocation, 'symbol'),
        columns: Object.fromEntries(COLUMN_ROLES.map(role => [role, text(invocation, `${role}-column`)])),
        delimiter: text(invocation, 'delimiter'),
        noHeader: invocation.options['no-header'] === true,
        pairs: invocation.options['pairs'] === true,
      }),
  },
  ccxt: {
    usage: 'ccxt --exchange NAME --quote USDT',
    options: {
      exchange: { type: 'string', placeholder: 'NAME', doc: 'ccxt: the exchange, such as binance or kraken' },
      quote: { type: 'string', placeholder: 'LIST', doc: 'ccxt: quote currencies, best first, such as USDT,USD' },
      full: { type: 'boolean', doc: 'ccxt: pull from --since on even what is stored already' },
      symbols: { type: 'string', placeholder: 'LIST', doc: 'ccxt: only these tickers, such as BTC,ETH' },
      since: SINCE,
    },
    make: invocation => {
      noArguments(invocation);
      const exchange = text(invocation, 'exchange');
      return ccxtSource({
        exchange: exchange ?? missing('ingest ccxt needs --exchange, such as --exchange binance'),
        quotes: list(invocation, 'quote') ?? missing('ingest ccxt needs --quote, such as --quote USDT'),
        ...optional('symbols', list(invocation, 'symbols')),
        ...optional('since', day(invocation, 'since')),
        full: invocation.options['full'] === true,
      });
    },
  },
  coinpaprika: {
    usage: 'coinpaprika',
    options: {
      'paprika-key': {
        type: 'string',
        placeholder: 'KEY',
        doc: 'coinpaprika: key of a paid plan (better in TIDEMARK_PAPRIKA_KEY, where no process list shows it)',
      },
      since: SINCE,
      assets: { type: 'string', placeholder: 'LIST', doc: 'coinpaprika: only these ids, such as btc-bitcoin' },
      limit: { type: 'string', placeholder: 'N', doc: 'coinpaprika: how many of the best-ranked (default 2000)' },
      'refresh-profiles': { type: 'boolean', doc: 'coinpaprika: pull profiles again that are stored already' },
      details: { type: 'string', placeholder: 'N', doc: 'coinpaprika: for how many of them profiles and closes' },
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
    options: {},
    make: invocation => profilesSource(filesOf(invocation, 'profiles.json')),
  },
  demo: {
    usage: 'demo',
    options: {},
    make: invocation => {
      noArguments(invocation);
      return demoSource();
    },
  },
};

/** Refuses a flag that belongs to another source: it would be ignored, and the load not be the one that was meant. */
export function checkFlags(name: string, kind: SourceKind, options: Invocation['options']): void {
  const others = Object.values(SOURCES).flatMap(source => Object.keys(source.options));
  const stray = others.find(flag => options[flag] !== undefined && !(flag in kind.options));
  if (stray !== undefined) throw new UsageError(`ingest ${name} has no flag --${stray}; it belongs to another source`);
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

/** An optional member of a source's options: absent, not undefined, when nothing was given. */
function optional<Name extends string, T>(name: Name, value: T | undefined): { readonly [K in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in Name]?: T }); // a computed name widens to string
}
