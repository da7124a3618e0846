// What the tables of a PostgreSQL store need of the database: statements, and transactions of several kinds.

import type { AssetNumber } from '../../domain/asset.ts';
import type { CopyReader, CopyWriter } from './copy.ts';
import type { SeenVersions } from './seen-versions.ts';

/** What becomes a parameter of a statement. */
export type Value = string | number | boolean | Uint8Array | null | readonly Value[];

/** Runs statements on one connection, one after another: the values of the template become parameters. */
export interface Sql {
  <R extends object = Record<string, unknown>>(
    text: TemplateStringsArray,
    ...values: readonly Value[]
  ): Promise<readonly R[]>;
  /** A statement with the parameters `$1`, `$2` …, and how many rows it found or wrote. */
  run<R extends object>(
    text: string,
    values: readonly Value[],
  ): Promise<{ readonly rows: readonly R[]; readonly count: number }>;
  /** A statement that writes; returns how many rows it wrote. */
  count(text: TemplateStringsArray, ...values: readonly Value[]): Promise<number>;
  /** Statements without parameters, separated by semicolons. */
  script(text: string): Promise<void>;
  /** Appends rows to `target`, a table with its columns in parentheses. */
  copyInto(target: string, rows: CopyWriter): Promise<void>;
  /** Passes each row that a SELECT finds to `take`. The SELECT has no parameters: interpolate numbers only. */
  copyOut(select: string, take: (row: CopyReader) => void): Promise<void>;
}

/** Whose bars or profiles a statement reads. */
export type Concern = AssetNumber | 'all assets';

/** The versions of the publication and of the API keys. */
export interface Versions {
  readonly data: number;
  readonly keys: number;
  /** Whether they were read from a standby. */
  readonly standby: boolean;
}

export interface Database {
  /** For people; holds no password. */
  readonly name: string;
  readonly seen: SeenVersions;
  versions(): Promise<Versions>;
  /** Statements that only read, and need not be of one moment. `concern`: whose bars or profiles they read, if they do. */
  query<T>(work: (sql: Sql) => Promise<T>, concern?: Concern): Promise<T>;
  /** Everything that `work` reads is of one moment. */
  read<T>(work: (sql: Sql) => Promise<T>, concern?: Concern): Promise<T>;
  /** Statements that write, each a transaction of its own and safe beside any other. */
  change<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** One writing transaction at a time, whichever process it is in: what one has read stays true until it has written. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** First half of the keys of advisory locks, 'Tide' in ASCII; the second says what is locked. */
export const LOCK_SPACE = 0x54696465;

/** The text form of an array of numbers, NaN as NULL. */
export function arrayText(values: Iterable<number>): string {
  const parts: string[] = [];
  for (const value of values) parts.push(Number.isNaN(value) ? 'NULL' : String(value));
  return `{${parts.join(',')}}`;
}
