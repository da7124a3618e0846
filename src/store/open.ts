// From the URL of a store to the store.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openSqlite } from './sqlite/store.ts';
import { type Store, StoreError } from './store.ts';

const FORMS = 'write sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

export interface OpenOptions {
  /** Whether a store that is not there yet is made. */
  readonly create: boolean;
  /** Whether little of what was read is kept in memory: for those who stay, and read what they need once. */
  readonly sparing?: boolean;
}

/** Opens the store, creating it where there is none yet, unless told otherwise. */
export async function openStore(
  url: string,
  { create, sparing = false }: OpenOptions = { create: true },
): Promise<Store> {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'sqlite':
      return openSqlite(existing(sqlitePath(url.slice('sqlite:'.length)), create), sparing);
    case 'postgres':
    case 'postgresql': {
      // Only who uses PostgreSQL pays for loading its client.
      const { openPostgres } = await import('./postgres/store.ts');
      return openPostgres(url);
    }
    default:
      throw new StoreError('bad_url', 'the store has a URL of a kind that is not known', FORMS);
  }
}

function existing(path: string, create: boolean): string {
  if (create || existsSync(path)) return path;
  throw new StoreError('missing', `there is no store ${path}`, "'tidemark ingest' creates one; --store names another.");
}

function sqlitePath(path: string): string {
  // `sqlite://data/x.db` could mean data/x.db or /data/x.db.
  if (path === '' || path.startsWith(':') || /^\/\/[^/]/.test(path)) {
    throw new StoreError(
      'bad_url',
      `sqlite:${path} names no file`,
      'write sqlite:data/tidemark.db or sqlite:/var/lib/tidemark.db',
    );
  }
  return resolve(path);
}
