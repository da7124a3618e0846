// Where a server keeps its last snapshot and its exports, and the name of the store that they are of.

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

/** The value of the setting by which nothing is kept. */
export const KEEP_NOTHING = 'off';

export interface KeepPlace {
  readonly path: string;
  /** The same for the same store, whatever the password; tells nothing of the URL. */
  readonly store: string;
}

/** Null when nothing is to be kept. `setting` is empty for the place beside the data. */
export function keepPlace(storeUrl: string, setting: string): KeepPlace | null {
  if (setting === KEEP_NOTHING) return null;
  const { start, store } = besideStore(storeUrl);
  return { path: resolve(setting === '' ? `${start}.snapshot` : setting), store };
}

/** `setting` is empty for the place beside the data. */
export function exportsFolder(storeUrl: string, setting: string): string {
  return resolve(setting === '' ? `${besideStore(storeUrl).start}.exports` : setting);
}

function besideStore(storeUrl: string): { readonly start: string; readonly store: string } {
  const file = /^sqlite:(.*)/i.exec(storeUrl)?.[1];
  const name = file === undefined ? withoutPassword(storeUrl) : resolve(file);
  const store = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { start: file ?? `data/${store.slice(0, 12)}`, store };
}

/** For people: the URL without what is secret in it. */
export function storeName(storeUrl: string): string {
  return /^sqlite:/i.test(storeUrl) ? storeUrl : withoutPassword(storeUrl);
}

/** Neither the password nor the options make it another database. */
function withoutPassword(url: string): string {
  return url.replace(/\?.*$/, '').replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1@');
}
