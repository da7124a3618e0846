// Opens the store that a URL names.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openSqlite } from './sqlite/store.ts';
import { type Store, StoreError } from './store.ts';

const FORMS = 'write sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

export interface OpenOptions {
  /** Whether to create a store that does not exist. */
  readonly create: boolean;
  /** Whether to use a small cache: for servers, which read what they need once and stay for long. */
  readonly sparing?: boolean;
}

/** Creates the store by default if it does not exist. */
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
      // The client is loaded only if it is needed.
      const { openPostgres } = await import('./postgres/store.ts');
      return openPostgres(url, create);
    }
    default:
      throw new StoreError('bad_url', 'unknown kind of store URL', FORMS);
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
