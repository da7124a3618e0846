// The tables of a SQLite store.
//
// Every row ends with a checksum over its other cells and the name of its table (see checked-table.ts), which is compared when the
// row is read. `meta` and `publication_index` say which rows must be there. `tidemark verify` compares everything (see check.ts).
//
// A column named `asset` is an asset number; numbers are given from 1, without gaps, and never again. A column named `asset_group`
// is the asset number divided by 32 (see asset-groups.ts). Days are counted from 1970-01-01. Blobs of numbers are little-endian doubles.

/** Raised when a table changes. Layouts 1 to 13 were those of development versions. */
export const LAYOUT = 18;
/** The oldest layout that is brought up to date when the store is opened for writing. */
export const OLDEST_LAYOUT = 15;

/** Of an interval finer than a day. */
function fineTables<I extends '1h' | '1m'>(interval: I): Record<`${FineTable}_${I}`, string> {
  const tables: Record<FineTable, string> = {
    coverage: `CREATE TABLE coverage_${interval} (
  asset_group INTEGER PRIMARY KEY,
  numbers BLOB NOT NULL,          -- per asset: periods of the oldest and the newest bar, how many bars there are, and what was published
  checksum INTEGER NOT NULL
) STRICT`,
    blocks: `CREATE TABLE blocks_${interval} (
  place INTEGER PRIMARY KEY,      -- made of asset and block of 32 periods, see bar-blocks.ts
  fields INTEGER NOT NULL,        -- one bit per field that is there
  data BLOB NOT NULL,             -- 32 numbers of each field, then the origins: none, one of all bars, or one per bar
  checksum INTEGER NOT NULL
) STRICT`,
    replaced: `CREATE TABLE replaced_${interval} (
  asset_group INTEGER PRIMARY KEY,
  closes BLOB NOT NULL,           -- asset, period and close of each
  checksum INTEGER NOT NULL
) STRICT`,
  };
  const named = Object.entries(tables).map(([name, sql]) => [`${name}_${interval}`, sql]);
  return Object.fromEntries(named); // made of these names
}

type FineTable = 'coverage' | 'blocks' | 'replaced';

/** Bars of each source, price rules, corrections, actions and findings: see records/tables.ts. */
const SOURCE_TABLES = {
  sources: `CREATE TABLE sources (
  asset INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_load INTEGER NOT NULL,    -- 0 if it is unknown
  separate INTEGER NOT NULL,      -- whether its bars are in source_blocks; if not, they are the served ones
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, name)
) STRICT, WITHOUT ROWID`,
  // With row ids: without them, SQLite would put most of each row on a page of its own.
  source_blocks: `CREATE TABLE source_blocks (
  asset INTEGER NOT NULL,
  source TEXT NOT NULL,           -- its name
  interval TEXT NOT NULL,
  block INTEGER NOT NULL,         -- of 32 periods
  data BLOB NOT NULL,             -- see records/source-blocks.ts
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, source, interval, block)
) STRICT`,
  unmerged: `CREATE TABLE unmerged (
  asset INTEGER NOT NULL,
  interval TEXT NOT NULL,
  first_period INTEGER NOT NULL,  -- the served bars before it fit those of the sources
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, interval)
) STRICT, WITHOUT ROWID`,
  price_rules: `CREATE TABLE price_rules (
  asset INTEGER PRIMARY KEY,      -- 0: the rule of all other assets
  rule TEXT NOT NULL,             -- JSON
  checksum INTEGER NOT NULL
) STRICT`,
  corrections: `CREATE TABLE corrections (
  number INTEGER PRIMARY KEY,
  asset INTEGER NOT NULL,
  interval TEXT NOT NULL,
  period INTEGER NOT NULL,
  open REAL,
  high REAL,
  low REAL,
  close REAL,                     -- null: the period has no bar
  volume REAL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  undone_at TEXT,
  checksum INTEGER NOT NULL
) STRICT`,
  actions: `CREATE TABLE actions (
  number INTEGER PRIMARY KEY,
  asset INTEGER NOT NULL,
  day INTEGER NOT NULL,           -- the first in new units
  ratio REAL NOT NULL,            -- old units per new one
  from_asset INTEGER,             -- the asset that became this one
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT`,
  findings: `CREATE TABLE findings (
  asset INTEGER NOT NULL,
  interval TEXT NOT NULL,
  period INTEGER NOT NULL,
  rule TEXT NOT NULL,
  source TEXT NOT NULL,           -- empty: the served bars
  value REAL NOT NULL,
  expected REAL NOT NULL,
  detail TEXT NOT NULL,
  recorded INTEGER NOT NULL,      -- whether a load found it in what the source delivered, rather than a check of the stored bars
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, interval, period, rule, source)
) STRICT, WITHOUT ROWID`,
  acceptances: `CREATE TABLE acceptances (
  asset INTEGER NOT NULL,
  interval TEXT NOT NULL,
  period INTEGER NOT NULL,
  rule TEXT NOT NULL,
  source TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, interval, period, rule, source)
) STRICT, WITHOUT ROWID`,
  checks: `CREATE TABLE checks (
  interval TEXT PRIMARY KEY,      -- whose bars are checked
  settings TEXT NOT NULL,         -- JSON: the thresholds
  complete INTEGER NOT NULL,      -- whether all bars were checked with them
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
} as const;

/** The ranks, supplies and market capitalisations of past days. */
const FACT_TABLES = {
  fact_blocks: `CREATE TABLE fact_blocks (
  asset INTEGER NOT NULL,
  block INTEGER NOT NULL,         -- of 32 days
  data BLOB NOT NULL,             -- see records/fact-blocks.ts
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, block)
) STRICT, WITHOUT ROWID`,
} as const;

const FINE_TABLES = {
  ...fineTables('1h'),
  ...fineTables('1m'),
  dropped: `CREATE TABLE dropped (
  interval TEXT PRIMARY KEY,
  before INTEGER NOT NULL,        -- the first period whose bar was kept
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
} as const;

/** The newest bars of an interval finer than a day. */
function tailTable(interval: '1h' | '1m'): string {
  return `CREATE TABLE tail_${interval} (
  place INTEGER PRIMARY KEY,      -- made of asset group and part of 8 periods, see bar-tail.ts
  fields INTEGER NOT NULL,        -- one bit per field that is there
  data BLOB NOT NULL,             -- 256 numbers of each field, then the origins: none, one of all bars, or one per bar
  checksum INTEGER NOT NULL
) STRICT`;
}

const APPENDED_TABLES = {
  tail_1h: tailTable('1h'),
  tail_1m: tailTable('1m'),
  rewritten: `CREATE TABLE rewritten (
  asset INTEGER NOT NULL,
  interval TEXT NOT NULL,
  version INTEGER NOT NULL,       -- of the last publication that changed bars older than the newest one
  first_period INTEGER NOT NULL,  -- the oldest of them
  checksum INTEGER NOT NULL,
  PRIMARY KEY (asset, interval)
) STRICT, WITHOUT ROWID`,
} as const;

/** By layout: the tables that the next one has besides. */
export const NEW_TABLES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  15: FINE_TABLES,
  16: { ...SOURCE_TABLES, ...FACT_TABLES },
  17: APPENDED_TABLES,
};

export const TABLES = {
  meta: `CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  assets INTEGER NOT NULL,        -- how many there are
  api_keys INTEGER NOT NULL,      -- how many there are, revoked ones included
  assets_version INTEGER NOT NULL,
  keys_version INTEGER NOT NULL,
  version INTEGER NOT NULL,       -- of the publication
  columns TEXT,                   -- what the values of current rows are
  all_since INTEGER NOT NULL,     -- the version of the last removal of a row or change of columns
  checksum INTEGER NOT NULL
) STRICT`,

  assets: `CREATE TABLE assets (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  symbol TEXT NOT NULL,
  name TEXT NOT NULL,
  rank INTEGER,
  type TEXT,
  supply REAL,                    -- circulating units
  tags TEXT NOT NULL,             -- the ids of the profile's tags, joined by commas
  provisional INTEGER NOT NULL,
  delisted INTEGER NOT NULL,
  changed INTEGER NOT NULL,       -- the assets_version that brought this row
  checksum INTEGER NOT NULL
) STRICT`,

  profiles: `CREATE TABLE profiles (
  asset INTEGER PRIMARY KEY,
  record TEXT NOT NULL,           -- JSON of {profile, extra}
  checksum INTEGER NOT NULL
) STRICT`,

  // Counting millions of bars for a list of assets would take seconds.
  coverage: `CREATE TABLE coverage (
  asset_group INTEGER PRIMARY KEY,
  numbers BLOB NOT NULL,          -- per asset: days of the oldest and the newest bar, and how many bars there are
  checksum INTEGER NOT NULL
) STRICT`,

  tiles: `CREATE TABLE tiles (
  place INTEGER PRIMARY KEY,      -- made of block of days, field and asset group, see bar-tiles.ts
  numbers BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT`,

  origins: `CREATE TABLE origins (
  place INTEGER PRIMARY KEY,      -- made of block of days and asset group, see bar-origins.ts
  loads BLOB NOT NULL,            -- little-endian integers of 32 bits: the load that delivered the close, negative if it replaced one
  checksum INTEGER NOT NULL
) STRICT`,

  pending: `CREATE TABLE pending (
  asset_group INTEGER PRIMARY KEY,
  assets INTEGER NOT NULL,        -- one bit per asset of the group
  checksum INTEGER NOT NULL
) STRICT`,

  replaced: `CREATE TABLE replaced (
  asset_group INTEGER PRIMARY KEY,
  closes BLOB NOT NULL,           -- asset, day and close of each, see replaced.ts
  checksum INTEGER NOT NULL
) STRICT`,

  current_rows: `CREATE TABLE current_rows (
  asset_group INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,       -- the publication that last changed this group
  rows BLOB NOT NULL,             -- see group-rows.ts
  checksum INTEGER NOT NULL
) STRICT`,

  publication_index: `CREATE TABLE publication_index (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  versions BLOB NOT NULL,         -- current_rows.version per asset group; 0 for a group that has no row there
  checksum INTEGER NOT NULL
) STRICT`,

  publications: `CREATE TABLE publications (
  version INTEGER PRIMARY KEY,    -- the newest ones, see next-version.ts
  checksum INTEGER NOT NULL
) STRICT`,

  loads: `CREATE TABLE loads (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  state TEXT NOT NULL,
  error TEXT,
  read INTEGER NOT NULL,
  inserted INTEGER NOT NULL,
  replaced INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT`,

  rejects: `CREATE TABLE rejects (
  load INTEGER NOT NULL,
  number INTEGER NOT NULL,
  place TEXT NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (load, number)
) STRICT, WITHOUT ROWID`,

  api_keys: `CREATE TABLE api_keys (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,      -- SHA-256 of the API key; the API key itself is not stored
  tier TEXT NOT NULL,
  name TEXT,
  expires INTEGER,                -- the last day on which it is valid
  created_at TEXT NOT NULL,
  revoked_at TEXT,
  checksum INTEGER NOT NULL
) STRICT`,

  usage: `CREATE TABLE usage (
  day INTEGER NOT NULL,
  api_key TEXT NOT NULL,          -- its id
  accepted INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (day, api_key)
) STRICT, WITHOUT ROWID`,

  alerts: `CREATE TABLE alerts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  query TEXT NOT NULL,
  direction TEXT NOT NULL,        -- enter, leave or both
  format TEXT NOT NULL,
  url TEXT,                       -- secret, like the next one; null after a restore without secrets
  secret TEXT,                    -- in the clear, because it signs messages
  created_at TEXT NOT NULL,
  paused INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  version INTEGER,                -- of the publication with which the matching assets last changed
  symbols TEXT,                   -- the tickers of the matching assets, JSON; null before the first evaluation
  checksum INTEGER NOT NULL
) STRICT`,

  deliveries: `CREATE TABLE deliveries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  alert TEXT NOT NULL,            -- its id
  created_at INTEGER NOT NULL,    -- milliseconds since 1970, like the other times
  entered INTEGER NOT NULL,       -- how many assets
  left_rows INTEGER NOT NULL,
  body TEXT NOT NULL,             -- empty once it is delivered
  state TEXT NOT NULL,            -- waiting, delivered or failed
  attempts INTEGER NOT NULL,
  last_at INTEGER,
  next_at INTEGER,
  status INTEGER,                 -- HTTP status of the last response
  error TEXT,
  checksum INTEGER NOT NULL
) STRICT`,

  live_ticks: `CREATE TABLE live_ticks (
  source TEXT PRIMARY KEY,
  tick_at INTEGER NOT NULL,       -- of its newest tick, milliseconds since 1970
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,

  servers: `CREATE TABLE servers (
  id TEXT PRIMARY KEY,
  heartbeat_at INTEGER NOT NULL,  -- milliseconds since 1970
  checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
  ...FINE_TABLES,
  ...SOURCE_TABLES,
  ...FACT_TABLES,
  ...APPENDED_TABLES,
} as const;

export const INDEXES = {
  usage_by_key: 'CREATE INDEX usage_by_key ON usage (api_key, day)',
  deliveries_waiting: "CREATE INDEX deliveries_waiting ON deliveries (alert, next_at) WHERE state = 'waiting'",
  assets_by_ticker: 'CREATE INDEX assets_by_ticker ON assets (symbol COLLATE NOCASE)',
} as const;

export type TableName = keyof typeof TABLES;

export const CREATE = Object.values({ ...TABLES, ...INDEXES }).join(';\n');
