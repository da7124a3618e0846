// The small tables of a store: the fields of their rows, the column of each, and its type in PostgreSQL. The names, and the order of the
// columns, are those of SQLite (sqlite/layout.ts); `postgres/records.ts` has the names that differ there.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type {
  DailyUse,
  NewestTick,
  StoredAlert,
  StoredDelivery,
  StoredKey,
  StoredLoad,
  StoredReject,
} from '../port/store.ts';

export interface AnyTable {
  readonly name: TableName;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
}

/** `Key`: the fields of its primary key. */
export interface Table<Row, Key extends keyof Row = keyof Row> extends AnyTable {
  readonly key: readonly (Key & string)[];
  readonly columns: { readonly [Field in keyof Row & string]: Column };
}

type TableName = 'loads' | 'rejects' | 'api_keys' | 'usage' | 'alerts' | 'deliveries' | 'live_ticks' | 'profiles';
type Column = readonly [name: string, type: ColumnType];
/** In rows, `timestamptz` is ISO 8601, and `json` the parsed value. */
export type ColumnType = 'int' | 'bigint' | 'text' | 'boolean' | 'timestamptz' | 'json' | 'bytea';

export const LOADS: Table<StoredLoad, 'id'> = {
  name: 'loads',
  key: ['id'],
  columns: {
    id: ['id', 'int'],
    source: ['source', 'text'],
    startedAt: ['started_at', 'timestamptz'],
    endedAt: ['ended_at', 'timestamptz'],
    state: ['state', 'text'],
    error: ['error', 'text'],
    read: ['read', 'bigint'],
    inserted: ['inserted', 'bigint'],
    replaced: ['replaced', 'bigint'],
    unchanged: ['unchanged', 'bigint'],
    rejected: ['rejected', 'bigint'],
  },
};

export const REJECTS: Table<StoredReject & { readonly load: number; readonly number: number }> = {
  name: 'rejects',
  key: ['load', 'number'],
  columns: {
    load: ['load', 'int'],
    number: ['number', 'int'],
    where: ['place', 'text'],
    reason: ['reason', 'text'],
    detail: ['detail', 'text'],
  },
};

export const API_KEYS: Table<StoredKey & { readonly number: number }, 'number'> = {
  name: 'api_keys',
  key: ['number'],
  columns: {
    number: ['number', 'int'],
    id: ['id', 'text'],
    hash: ['hash', 'bytea'],
    tier: ['tier', 'text'],
    name: ['name', 'text'],
    expires: ['expires', 'int'],
    createdAt: ['created_at', 'timestamptz'],
    revokedAt: ['revoked_at', 'timestamptz'],
  },
};

export const USAGE: Table<DailyUse> = {
  name: 'usage',
  key: ['day', 'keyId'],
  columns: {
    day: ['day', 'int'],
    keyId: ['api_key', 'text'],
    accepted: ['accepted', 'bigint'],
    refused: ['refused', 'bigint'],
  },
};

export interface AlertRow
  extends Pick<StoredAlert, 'id' | 'name' | 'query' | 'on' | 'format' | 'createdAt' | 'paused' | 'revision'> {
  readonly number: number;
  readonly url: string | null;
  readonly secret: string | null;
  /** Both are null before the first evaluation. */
  readonly version: number | null;
  readonly symbols: unknown;
}

export const ALERTS: Table<AlertRow, 'number'> = {
  name: 'alerts',
  key: ['number'],
  columns: {
    number: ['number', 'int'],
    id: ['id', 'text'],
    name: ['name', 'text'],
    query: ['query', 'text'],
    on: ['direction', 'text'],
    format: ['format', 'text'],
    url: ['url', 'text'],
    secret: ['secret', 'text'],
    createdAt: ['created_at', 'timestamptz'],
    paused: ['paused', 'boolean'],
    revision: ['revision', 'bigint'],
    version: ['version', 'bigint'],
    symbols: ['symbols', 'json'],
  },
};

export const DELIVERIES: Table<StoredDelivery & { readonly number: number }, 'number'> = {
  name: 'deliveries',
  key: ['number'],
  columns: {
    number: ['number', 'bigint'],
    id: ['id', 'text'],
    alert: ['alert', 'text'],
    createdAt: ['created_at', 'bigint'],
    entered: ['entered', 'int'],
    left: ['left_rows', 'int'],
    body: ['body', 'text'],
    state: ['state', 'text'],
    attempts: ['attempts', 'int'],
    lastAt: ['last_at', 'bigint'],
    nextAt: ['next_at', 'bigint'],
    status: ['status', 'int'],
    error: ['error', 'text'],
  },
};

export const LIVE_TICKS: Table<NewestTick> = {
  name: 'live_ticks',
  key: ['source'],
  columns: { source: ['source', 'text'], at: ['tick_at', 'bigint'] },
};

/** SQLite has the profile and its `extra` members in one column. */
export const PROFILES: Table<SourcedProfile & { readonly assetNumber: AssetNumber }> = {
  name: 'profiles',
  key: ['assetNumber'],
  columns: { assetNumber: ['asset', 'int'], profile: ['profile', 'json'], extra: ['extra', 'json'] },
};
