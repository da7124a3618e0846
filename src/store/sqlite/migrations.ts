// The tables of a SQLite store, as numbered steps: step n brings a database from layout n - 1 to n. A step that was
// released is never edited; what comes later is a new step.

import type { Connection } from './connection.ts';
import { packBars } from './pack-bars.ts';
import { packRows } from './pack-rows.ts';
import { sealAll } from './seal-all.ts';

export interface Migration {
  readonly sql: string;
  /** What SQL cannot do, after it, in the same transaction. */
  readonly work?: (db: Connection) => void;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `
  CREATE TABLE assets (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    symbol TEXT NOT NULL,
    name TEXT NOT NULL,
    rank INTEGER,
    type TEXT,
    provisional INTEGER NOT NULL,
    delisted INTEGER NOT NULL
  ) STRICT;

  -- Days of each asset's oldest and newest bar, and how many there are: kept with the bars, because counting millions of
  -- them for a list of assets takes seconds. Every asset has a row.
  CREATE TABLE coverage (
    asset INTEGER PRIMARY KEY,
    first_day INTEGER NOT NULL DEFAULT 0,
    last_day INTEGER NOT NULL DEFAULT 0,
    bars INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE bars (
    asset INTEGER NOT NULL,
    day INTEGER NOT NULL,
    open REAL,
    high REAL,
    low REAL,
    close REAL NOT NULL,
    volume REAL,
    PRIMARY KEY (asset, day)
  ) STRICT, WITHOUT ROWID;

  -- JSON of {profile, extra}.
  CREATE TABLE profiles (
    asset INTEGER PRIMARY KEY,
    record TEXT NOT NULL
  ) STRICT;

  -- "indicators" holds little-endian doubles in the order of meta.columns.
  CREATE TABLE current (
    asset INTEGER PRIMARY KEY,
    day INTEGER NOT NULL,
    history INTEGER NOT NULL,
    price REAL NOT NULL,
    indicators BLOB NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE pending (asset INTEGER PRIMARY KEY) STRICT;

  CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    state TEXT NOT NULL,
    error TEXT,
    read INTEGER NOT NULL DEFAULT 0,
    inserted INTEGER NOT NULL DEFAULT 0,
    replaced INTEGER NOT NULL DEFAULT 0,
    unchanged INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE rejects (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    place TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT, WITHOUT ROWID;

  -- One row. "columns" names what current.indicators holds; "all_since" is the version of the last removal or change of columns.
  CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    columns TEXT,
    all_since INTEGER NOT NULL
  ) STRICT;
  INSERT INTO meta VALUES (1, 0, NULL, 0);
  `,
  },
  {
    sql: `
  -- "hash" is the SHA-256 of the key, which itself is nowhere; "expires" the last day on which it is good.
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    tier TEXT NOT NULL,
    name TEXT,
    expires INTEGER,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;

  CREATE TABLE usage (
    key TEXT NOT NULL,
    day INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    PRIMARY KEY (key, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_by_day ON usage (day);

  -- "beat_at" is in milliseconds since 1970.
  CREATE TABLE servers (
    id TEXT PRIMARY KEY,
    beat_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE meta ADD COLUMN keys_version INTEGER NOT NULL DEFAULT 0;
  `,
  },
  {
    sql: `
  -- Bars, see bar-tiles.ts: "place" is made of block, field and team, "numbers" are little-endian doubles.
  CREATE TABLE tiles (
    place INTEGER PRIMARY KEY,
    numbers BLOB NOT NULL
  ) STRICT;

  -- "changed" is the version of the facts that brought those of this asset; meta has the latest.
  ALTER TABLE assets ADD COLUMN changed INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE meta ADD COLUMN facts_version INTEGER NOT NULL DEFAULT 1;
  `,
    work: packBars,
  },
  {
    sql: `
  -- Current rows, see row-teams.ts: those of 32 assets in "rows"; "version" is the latest of theirs.
  CREATE TABLE current_teams (
    team INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    rows BLOB NOT NULL
  ) STRICT;
  CREATE INDEX current_teams_by_version ON current_teams (version);
  `,
    work: packRows,
  },
  {
    sql: `
  -- tiles.numbers and current_teams.rows end with a checksum from here on, see sealed-numbers.ts.
  `,
    work: sealAll,
  },
  {
    sql: `
  -- The newest of them, see next-version.ts.
  CREATE TABLE publications (version INTEGER PRIMARY KEY) STRICT;
  INSERT INTO publications SELECT version FROM meta WHERE version > 0;
  `,
  },
  {
    sql: `
  -- See replaced.ts.
  CREATE TABLE replaced (
    team INTEGER PRIMARY KEY,
    closes BLOB NOT NULL
  ) STRICT;
  `,
  },
  {
    sql: `
  ALTER TABLE runs RENAME TO loads;
  ALTER TABLE rejects RENAME COLUMN run TO load;
  `,
  },
  {
    sql: `
  -- The ids of the profile's tags, joined by commas.
  ALTER TABLE assets ADD COLUMN tags TEXT NOT NULL DEFAULT '';
  UPDATE meta SET facts_version = facts_version + 1;
  UPDATE assets SET changed = (SELECT facts_version FROM meta), tags = (
    SELECT coalesce(group_concat(tag.value ->> 'id', ','), '')
    FROM profiles, json_each(record, '$.profile.tags') AS tag WHERE profiles.asset = assets.key
  );
  `,
  },
];
