// The table of settings, read from flags, the environment and the config file. The result is typed and frozen.
//
// Precedence: flag, environment variable, config file, default.

import { nearest } from './common/nearest.ts';
import { ACTIVE_DAYS } from './domain/asset-state.ts';

interface ValueFacts {
  /** Stands for the value in help texts. */
  readonly placeholder: string;
  readonly doc: string;
}

interface TextSetting extends ValueFacts {
  /** The empty text if it is not given. */
  readonly default?: string;
  /** The accepted form, and its description for error messages. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
}

interface IntegerSetting extends ValueFacts {
  readonly default: number;
  /** 0 if it is not given. */
  readonly min?: number;
  readonly max: number;
}

/** Takes no value, and is off by default. */
interface FlagSetting {
  readonly doc: string;
}

export type Setting = TextSetting | IntegerSetting | FlagSetting;

export const SETTINGS = {
  store: {
    default: 'sqlite:data/tidemark.db',
    placeholder: 'URL',
    doc: 'The store: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, optionally with several hosts (`HOST:PORT,HOST:PORT`). With `--demo` the default is `sqlite:data/demo.db`',
  },
  host: {
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    doc: 'Address to listen on; `0.0.0.0` or `::` listens on every interface',
  },
  port: { default: 8080, max: 65_535, placeholder: 'N', doc: 'Port to listen on; 0 picks a free one' },
  'admin-port': {
    default: 0,
    max: 65_535,
    placeholder: 'N',
    doc: 'Serve `/metrics`, `/healthz` and `/readyz` on a port of their own; `/metrics` is then only there. 0 is none',
  },
  workers: {
    default: 0,
    max: 256,
    placeholder: 'N',
    doc: 'Serving threads, all on the same port; 0 starts one per core',
  },
  memory: {
    default: 1536,
    min: 256,
    max: 1_000_000,
    placeholder: 'MB',
    doc: 'Memory that the server may use in all, in megabytes: it bounds past days, histories and streams, and the log says if it is too small for the assets of the store',
  },
  cache: {
    default: 256,
    max: 65_536,
    placeholder: 'MB',
    doc: 'Of it, for rendered pages and parsed queries, for all threads together, in megabytes',
  },
  group: {
    default: 'crypto',
    placeholder: 'NAME',
    form: {
      pattern: /^(?!(?:catalog|coins)$)[a-z0-9][a-z0-9_-]{0,63}$/,
      words: 'lower-case letters, digits, - and _, but not catalog or coins',
    },
    doc: 'Path segment that names the group of datasets: `/v1/GROUP/ta-cur`',
  },
  'public-url': {
    placeholder: 'URL',
    form: { pattern: /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/, words: 'a URL such as https://data.example.com' },
    doc: 'Base URL that clients use, for absolute links in responses; if it is not set, the request’s `Host` is used',
  },
  'trust-proxy': {
    placeholder: 'KIND:HOPS',
    form: {
      pattern: /^(?:x-forwarded|forwarded):[1-9]$/,
      words:
        'x-forwarded:N or forwarded:N, with N proxies (1 to 9) between clients and the server, such as x-forwarded:1',
    },
    doc: 'The headers in which your own proxies name the client, and how many proxies there are: `x-forwarded:1` (`X-Forwarded-For`, `-Proto`, `-Host`) or `forwarded:1` (RFC 7239). The server ignores the other kind; without the setting it ignores both',
  },
  'max-age': {
    default: 2,
    max: 86_400,
    placeholder: 'SECONDS',
    doc: 'How long clients may cache a response (`Cache-Control`)',
  },
  poll: {
    default: 250,
    min: 10,
    max: 60_000,
    placeholder: 'MS',
    doc: 'How often a server checks the store for new data, in milliseconds',
  },
  keep: {
    placeholder: 'PATH',
    doc: 'File in which a server keeps its last snapshot, and beside it (`.keys`) the hashes of the API keys: it serves them when it starts while the store is unreachable. `off` keeps none. Default: beside the SQLite file; for PostgreSQL in `data/`',
  },
  exports: {
    placeholder: 'FOLDER',
    doc: 'Folder in which a server keeps the Parquet files that clients download. Default: beside the SQLite file; for PostgreSQL in `data/`',
  },
  'exports-size': {
    default: 1024,
    min: 1,
    max: 1_000_000,
    placeholder: 'MB',
    doc: 'Disk space for these files, in megabytes: those requested longest ago are removed first, and the newest file of each dataset is kept in any case. A history of all assets that is larger is not made',
  },
  'active-days': {
    default: ACTIVE_DAYS,
    max: 100_000,
    placeholder: 'DAYS',
    doc: 'An asset is inactive, and not in the listing, once its last close is more than this many days older than the newest close of all assets',
  },
  'active-periods': {
    placeholder: 'LIST',
    form: {
      pattern: /^(?:1m|5m|15m|30m|1h|4h|12h|1w)=\d{1,6}(?:,(?:1m|5m|15m|30m|1h|4h|12h|1w)=\d{1,6})*$/,
      words: 'intervals and numbers of periods such as 1m=120,1h=48',
    },
    doc: 'The same for the listings of other intervals than days, in periods of each: `1m=120,1h=48`. Default: 48 for intervals shorter than a day; for weeks, those in `--active-days`',
  },
  listings: {
    placeholder: 'LIST',
    form: {
      pattern: /^(?:1m|5m|15m|30m|1h|4h|12h|1d|1w)(?:,(?:1m|5m|15m|30m|1h|4h|12h|1d|1w))*$/,
      words: 'intervals separated by commas, such as 1d,1h',
    },
    doc: 'Intervals whose listings are computed after each publication, before a client asks for them; those of other intervals are computed on request. Default: `1d`, and `1h` if the store has hourly bars. `1d` is always there',
  },
  'retention-1m': {
    default: 45,
    max: 100_000,
    placeholder: 'DAYS',
    doc: 'For how many days bars of a minute are kept, counted back from the newest one; 0 keeps them for ever. The hours and days that were made of them stay',
  },
  'retention-1h': {
    default: 1095,
    max: 100_000,
    placeholder: 'DAYS',
    doc: 'The same for bars of an hour. Bars of a day are kept for ever',
  },
  benchmark: {
    placeholder: 'TICKER',
    doc: 'Ticker of the benchmark asset of `beta90` and `corr90`, for the whole store; without it, the store keeps the one that it has, at first `BTC`',
  },
  'all-columns': {
    doc: 'Compute the optional columns with every publication from the first one on. Without it, they are computed once a client first requests one; until then the view `ta_cur` of PostgreSQL has NULL there. A store that has them keeps them',
  },
  'check-intervals': {
    placeholder: 'LIST',
    form: {
      pattern: /^(?:1m|1h|1d)(?:,(?:1m|1h|1d))*$/,
      words: '1d, 1h or 1m, separated by commas',
    },
    doc: 'Intervals whose bars are checked for findings with every publication; `1d` always is. Without it, the store keeps those that it has, at first `1d`',
  },
  'check-thresholds': {
    placeholder: 'LIST',
    form: {
      pattern: /^[a-z-]+=[\d.]+(?:,[a-z-]+=[\d.]+)*$/,
      words: 'thresholds and numbers such as spike-factor=2,flat-closes=20',
    },
    doc: 'Thresholds of the rules that differ from their defaults: `spike-factor=2,flat-closes=20`. Without it, the store keeps those that it has. The next publication checks all bars with other ones',
  },
  'price-rule': {
    default: 'priority',
    placeholder: 'RULE',
    form: { pattern: /^(?:priority|median)$/, words: 'priority or median' },
    doc: 'How the served price is made if several sources have an asset: `priority` (the first source of `--source-order` that has the period) or `median` (the volume-weighted median). The store keeps it: a process without this setting uses the stored one',
  },
  'source-order': {
    placeholder: 'LIST',
    form: {
      pattern: /^[a-z0-9][a-z0-9._-]{0,31}(?:,[a-z0-9][a-z0-9._-]{0,31})*$/,
      words: 'names of sources separated by commas, such as kraken,binance',
    },
    doc: 'Sources in order of preference: `kraken,binance,csv`. Sources that it does not name come after it, in the order of their first loads',
  },
  'asset-price-rules': {
    placeholder: 'LIST',
    doc: 'Price rules of single assets: `btc-bitcoin: median; eth-ethereum: priority kraken,binance`',
  },
  'stale-after': {
    default: 0,
    max: 31_536_000,
    placeholder: 'SECONDS',
    doc: '`/readyz` returns 503 `stale` once the last successful check of the store is older than this; 0 disables it',
  },
  drain: {
    default: 0,
    max: 3600,
    placeholder: 'SECONDS',
    doc: 'How long a stopping server continues to serve while `/readyz` returns 503 `stopping`, so that a load balancer can move clients away',
  },
  grace: {
    default: 10,
    max: 3600,
    placeholder: 'SECONDS',
    doc: 'How long a stopping server waits for responses in progress before it closes their connections',
  },
  'max-connections': {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    placeholder: 'N',
    doc: 'Connections at once, shared out evenly among the threads; the server closes further ones. One address may have half of them, unless `--trust-proxy` is set',
  },
  'shed-after': {
    default: 1000,
    max: 60_000,
    placeholder: 'MS',
    doc: 'A request that has waited longer than this is refused with 503 `overloaded`, so that the others do not wait too; 0 disables it',
  },
  schedule: {
    placeholder: 'LIST',
    doc: 'Loads that the server runs at an interval: `1h coinpaprika; 1d ccxt --exchange kraken --quote USD`. Servers that share a store run each load once. `live binance` follows live prices all the time, in a process that is started again when it ends',
  },
  'alert-again-after': {
    default: 3600,
    max: 31_536_000,
    placeholder: 'SECONDS',
    doc: 'An alert reports the same asset again only after this much time, so that one that keeps crossing a threshold is reported once. What has changed when the time is over is reported then; 0 reports every change',
  },
  'allow-private-webhooks': {
    doc: 'Let alerts post to private and loopback addresses. Link-local, multicast and metadata addresses stay refused',
  },
  tiers: {
    placeholder: 'LIST',
    doc: 'Changes or adds tiers of API keys: `free: rate=1 quota=500; team: rows=500 rate=20`',
  },
  open: { doc: 'Serve without API keys and without limits. Use it only on a network that you trust' },
  log: {
    default: 'text',
    placeholder: 'FORMAT',
    form: { pattern: /^(?:text|json)$/, words: 'text or json' },
    doc: 'Format of the log on standard error: `text` for people, `json` for programs (one object per line)',
  },
  'log-requests': {
    placeholder: 'WHICH',
    form: { pattern: /^(?:all|failed|none)$/, words: 'all, failed or none' },
    doc: 'Requests to log: `all`, `failed` (status 500 or higher) or `none`. Default: `all` with `--log json`, `none` with `--log text`',
  },
  url: {
    placeholder: 'URL',
    form: { pattern: /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/, words: 'a URL such as https://data.example.com' },
    doc: 'Service whose tools `tidemark mcp` offers; without it, those of the store',
  },
  key: {
    placeholder: 'KEY',
    doc: 'API key for `--url`. Prefer the environment variable: other users of the machine can see the flags of a command',
  },
  demo: { doc: 'Serve a simulated market from its own store' },
  'no-ticks': { doc: 'With `--demo`: the simulated prices do not move. Otherwise five of them move every second' },
} as const satisfies Readonly<Record<string, Setting>>;

/** The columns that the settings file defines: an object, read before anything that has columns (`cli/declare-columns.ts`). */
export const OWN_COLUMNS = 'columns';

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S extends Setting> = S extends IntegerSetting ? number : S extends TextSetting ? string : boolean;

export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> } & {
  /** The settings that were given, as opposed to defaults. */
  readonly given: ReadonlySet<SettingName>;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const PREFIX = 'TIDEMARK_';

export function environmentVariable(name: string): string {
  return `${PREFIX}${name.replaceAll('-', '_').toUpperCase()}`;
}

export type RawValues = Readonly<Record<string, unknown>>;

/** Resolves every setting. `file` is the parsed config file, `filePath` its name for error messages. */
export function resolveConfig(
  flags: RawValues,
  env: RawValues,
  file: RawValues = {},
  filePath = 'config file',
): Config {
  for (const key of Object.keys(file)) {
    if (!(key in SETTINGS) && key !== OWN_COLUMNS)
      throw new ConfigError(`${filePath}: unknown setting ${JSON.stringify(key)}`);
  }
  refuseMisspelt(env);
  const given = new Set<SettingName>();
  const values: Record<string, string | number | boolean> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    const variable = environmentVariable(name);
    const found = [
      { origin: `--${name}`, value: flags[name] },
      { origin: variable, value: env[variable] },
      { origin: `${filePath}: ${name}`, value: file[name] },
    ].find(candidate => candidate.value !== undefined);
    values[name] = found === undefined ? defaultOf(setting) : parseSetting(setting, found.value, found.origin);
    if (found !== undefined) given.add(name);
  }
  // Every name of the table was set above, to a value of its type.
  return Object.freeze({ ...values, given }) as unknown as Config;
}

/** Others may have variables of this prefix, as Kubernetes has for a service of that name; a misspelt setting would be ignored. */
function refuseMisspelt(env: RawValues): void {
  const known = [...Object.keys(SETTINGS), OWN_COLUMNS].map(environmentVariable);
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || known.includes(name) || env[name] === undefined) continue;
    const rests = known.map(each => each.slice(PREFIX.length));
    const meant = nearest(name.slice(PREFIX.length), rests);
    if (meant !== null) throw new ConfigError(`unknown setting ${name}; did you mean ${PREFIX}${meant}?`);
  }
}

function defaultOf(setting: Setting): string | number | boolean {
  return 'placeholder' in setting ? (setting.default ?? '') : false;
}

function parseSetting(setting: Setting, value: unknown, origin: string): string | number | boolean {
  const text = typeof value === 'string' ? value.trim() : value;
  const refuse = (expected: string) =>
    new ConfigError(`${origin}: expected ${expected}, got ${JSON.stringify(value) ?? String(value)}`);
  if ('max' in setting) {
    const { min = 0, max } = setting;
    const number = typeof text === 'string' && /^[+-]?\d+$/.test(text) ? Number(text) : text;
    if (Number.isInteger(number) && Number(number) >= min && Number(number) <= max) return Number(number);
    throw refuse(`a whole number from ${min} to ${max}`);
  }
  if ('placeholder' in setting) {
    if (typeof text !== 'string' || text === '') throw refuse('text');
    if (setting.form?.pattern.test(text) === false) throw refuse(setting.form.words);
    return text;
  }
  if (typeof text === 'boolean') return text;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw refuse('true or false');
}
