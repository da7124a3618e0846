// The small tables of a store, and the statements on them. Each column has the type that it has in PostgreSQL; its field in a row has the
// same name, or the one after `as`. The names of tables and columns, and the order of the columns, are those of sqlite/layout.ts;
// `postgres/records.ts` has the names that differ there.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type {
  DailyUse,
  NewestTick,
  StoredAcceptance,
  StoredAction,
  StoredAlert,
  StoredCheck,
  StoredCorrection,
  StoredDelivery,
  StoredFinding,
  StoredKey,
  StoredLoad,
  StoredPriceRule,
  StoredReject,
  StoredSource,
  Unmerged,
} from '../port/store.ts';
import { type Column, type Fields, type RecordTable, run, type Steps, type Value } from './steps.ts';

/** `rest` follows `FROM table`: SQL that both databases know; `$1` is the first of the values. */
class Table<Row, NewRow = Omit<Row, 'number'>> implements RecordTable {
  readonly name: RecordTable['name'];
  readonly columns: readonly Column[];
  readonly key: readonly Column[];

  /** The primary key is the first column, or the first few. */
  constructor(name: RecordTable['name'], columns: string, keySize = 1) {
    this.name = name;
    this.columns = columns.split(',').map(columnOf);
    this.key = this.columns.slice(0, keySize);
  }

  rows(rest: string, ...values: Value[]): Steps<readonly Row[]> {
    return run(on => on.rows(this, rest, values));
  }

  /** Those with one of these values in a column, in any order. `rest` is a further condition, with its values from `$2` on. */
  rowsOf(column: string, of: readonly Value[], rest = '', ...values: Value[]): Steps<readonly Row[]> {
    return run(on => on.rowsOf(this, column, of, rest, values));
  }

  /** Of each of these values of the first key column, the row with the largest second one up to a bound. */
  newest(of: readonly (readonly [value: number, bound: number])[]): Steps<readonly Row[]> {
    return run(on => on.newest(this, of));
  }

  /** Other expressions than whole rows, such as counts. */
  select<Found>(what: string, rest: string, ...values: Value[]): Steps<readonly Found[]> {
    return run(on => on.select(this, what, rest, values));
  }

  /** New rows, which the database numbers in their order. Returns the last number. */
  add(rows: readonly NewRow[]): Steps<number> {
    return run(on => on.add(this, rows as readonly Fields[]));
  }

  /** New rows, or new values of all columns of rows that exist. */
  put(rows: readonly Row[]): Steps<void> {
    return run(on => on.put(this, rows as readonly Fields[]));
  }

  /** Writes only what changes: the role of a server may not write the other columns. */
  update(row: Row, changes: Partial<Row>): Steps<void> {
    return run(on => on.update(this, row as Fields, changes as Fields));
  }

  /** Adds the columns that are not in the key to those of rows that exist. Returns the rows as they are then. */
  increase(rows: readonly Row[]): Steps<readonly Row[]> {
    return run(on => on.increase(this, rows as readonly Fields[]));
  }

  /** Returns how many rows there were. */
  remove(rest: string, ...values: Value[]): Steps<number> {
    return run(on => on.remove(this, rest, values));
  }
}

function columnOf(text: string): Column {
  const [name = '', type, , field] = text.trim().split(/\s+/);
  const camelCase = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { name, type: type as Column['type'], field: field ?? camelCase }; // the tables below have no other types
}

export const LOADS = new Table<StoredLoad, Omit<StoredLoad, 'id'>>(
  'loads',
  `id int, source text, started_at timestamptz, ended_at timestamptz, state text, error text,
   read bigint, inserted bigint, replaced bigint, unchanged bigint, rejected bigint`,
);

export const REJECTS = new Table<StoredReject & { readonly load: number; readonly number: number }>(
  'rejects',
  'load int, number int, place text as where, reason text, detail text',
  2,
);

export const API_KEYS = new Table<StoredKey & { readonly number: number }>(
  'api_keys',
  `number int, id text, hash bytea, tier text, name text, expires int, created_at timestamptz, revoked_at timestamptz`,
);

export const USAGE = new Table<DailyUse>('usage', 'day int, api_key text as keyId, accepted bigint, refused bigint', 2);

type Facts = Pick<StoredAlert, 'id' | 'name' | 'query' | 'on' | 'format' | 'createdAt' | 'paused' | 'revision'>;

export interface AlertRow extends Facts {
  readonly number: number;
  readonly url: string | null;
  readonly secret: string | null;
  /** Null before the first evaluation, like `symbols`. */
  readonly version: number | null;
  readonly symbols: unknown;
}

export const ALERTS = new Table<AlertRow>(
  'alerts',
  `number int, id text, name text, query text, direction text as on, format text, url text, secret text,
   created_at timestamptz, paused boolean, revision bigint, version bigint, symbols json`,
);

export const DELIVERIES = new Table<StoredDelivery & { readonly number: number }>(
  'deliveries',
  `number bigint, id text, alert text, created_at bigint, entered int, left_rows int as left, body text, state text,
   attempts int, last_at bigint, next_at bigint, status int, error text`,
);

export const LIVE_TICKS = new Table<NewestTick>('live_ticks', 'source text, tick_at bigint as at');

/** SQLite has the profile and its `extra` members in one column. */
export const PROFILES = new Table<SourcedProfile & { readonly assetNumber: AssetNumber }>(
  'profiles',
  'asset int as assetNumber, profile json, extra json',
);

export const SOURCES = new Table<StoredSource>(
  'sources',
  'asset int as assetNumber, name text, first_load int, separate boolean',
  2,
);

export interface SourceBlockRow {
  readonly assetNumber: AssetNumber;
  /** Its name. */
  readonly source: string;
  readonly interval: string;
  readonly block: number;
  readonly data: Uint8Array;
}

export const SOURCE_BLOCKS = new Table<SourceBlockRow>(
  'source_blocks',
  'asset int as assetNumber, source text, interval text, block int, data bytea',
  4,
);

export const UNMERGED = new Table<Unmerged>('unmerged', 'asset int as assetNumber, interval text, first_period int', 2);

export const PRICE_RULES = new Table<StoredPriceRule>('price_rules', 'asset int as assetNumber, rule json');

export const CORRECTIONS = new Table<StoredCorrection>(
  'corrections',
  `number int, asset int as assetNumber, interval text, period int, open float8, high float8, low float8, close float8,
   volume float8, reason text, created_at timestamptz, undone_at timestamptz`,
);

export const ACTIONS = new Table<StoredAction>(
  'actions',
  `number int, asset int as assetNumber, day int, ratio float8, from_asset int, reason text, created_at timestamptz`,
);

export interface FindingRow extends StoredFinding {
  /** A load found it in what the source delivered, and no check of the stored bars can find it again. */
  readonly recorded: boolean;
}

export const FINDINGS = new Table<FindingRow>(
  'findings',
  `asset int as assetNumber, interval text, period int, rule text, source text, value float8, expected float8, detail text, recorded boolean`,
  5,
);

export const ACCEPTANCES = new Table<StoredAcceptance>(
  'acceptances',
  'asset int as assetNumber, interval text, period int, rule text, source text, reason text, created_at timestamptz',
  5,
);

export const CHECKS = new Table<StoredCheck>('checks', 'interval text, settings json, complete boolean');

export interface FactBlockRow {
  readonly assetNumber: AssetNumber;
  readonly block: number;
  readonly data: Uint8Array;
}

/** See fact-blocks.ts. */
export const FACT_BLOCKS = new Table<FactBlockRow>('fact_blocks', 'asset int as assetNumber, block int, data bytea', 2);

/** See `PublicationStore.rewrittenSince`: the newest publication that did so, and the oldest period of all that are remembered. */
export interface Rewritten {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly version: number;
  readonly firstPeriod: number;
}

export const REWRITTEN = new Table<Rewritten>(
  'rewritten',
  'asset int as assetNumber, interval text, version bigint, first_period int',
  2,
);

/** Those whose rows a backup has as they are. */
export const COPIED_TABLES = [
  ...[SOURCES, SOURCE_BLOCKS, UNMERGED, PRICE_RULES, CORRECTIONS, ACTIONS, FINDINGS, ACCEPTANCES],
  CHECKS,
] as const satisfies readonly RecordTable[];
