// The API keys that a server keeps beside its snapshot, in a file of their own: their hashes, tiers and expiry, never the keys.

import { createHash } from 'node:crypto';
import { readPlain } from '../common/plain-file.ts';
import type { AssignedKey } from './key-slots.ts';
import { replaceFile } from './replace-file.ts';

export function keysPath(snapshotPath: string): string {
  return `${snapshotPath}.keys`;
}

export function writeKeptKeys(path: string, store: string, keys: readonly AssignedKey[]): Promise<void> {
  const list = keys.map(({ id, hash, tier, expires, revokedAt }) => {
    return { id, hash: Buffer.from(hash).toString('hex'), tier, expires, revokedAt };
  });
  const text = JSON.stringify({ store, keys: list });
  return replaceFile(path, `${text}\n${checksumOf(text)}\n`);
}

/** Null when the file is missing, damaged or of another store. */
export async function readKeptKeys(path: string, store: string): Promise<AssignedKey[] | null> {
  const content = await readPlain(path).then(String, () => '');
  const [text = '', checksum] = content.split('\n');
  if (checksumOf(text) !== checksum) return null;
  // The checksum says that `writeKeptKeys` has written it.
  const found = JSON.parse(text) as { store: string; keys: (Omit<AssignedKey, 'hash'> & { hash: string })[] };
  if (found.store !== store) return null;
  return found.keys.map(key => ({ ...key, hash: Buffer.from(key.hash, 'hex') }));
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
