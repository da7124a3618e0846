// Closes whose every price tells the round that loaded them, so that a listing that mixes two rounds shows.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_KEYS, hashOf } from '../../../src/domain/api-key.ts';
import type { NewKey, StoredKey } from '../../../src/store/store.ts';
import { ask } from '../../support/service.ts';

const ASSETS = 300;
const FILES = 3;
/** The key that the questions here are asked with. */
export const ASKING_KEY: NewKey = {
  id: 'key_pro',
  hash: hashOf(DEMO_KEYS.pro),
  tier: 'unlimited',
  name: null,
  expires: null,
};

/** Closes of today, as a folder of files: each is a transaction of its own, and only together may they be shown. */
export function writeCloses(folder: string, round: number): string {
  const path = join(folder, String(round));
  mkdirSync(path);
  const day = new Date().toISOString().slice(0, 10);
  for (let file = 0; file < FILES; file++) {
    const lines = ['symbol,day,close'];
    for (let i = file; i < ASSETS; i += FILES) lines.push(`K${i},${day},${1000 * (round + 1) + i}`);
    writeFileSync(join(path, `${file}.csv`), lines.join('\n'));
  }
  return path;
}

/** Asks for the listing, which must have all rows, and all of one and the same round; returns that. */
export async function listedRound(url: string): Promise<number> {
  // On a line of its own, so that the system chooses a thread for it.
  const headers = { 'x-api-key': DEMO_KEYS.pro, connection: 'close' };
  const { status, text } = await ask(url, '/v1/crypto/ta-cur?limit=1000', { headers });
  assert.equal(status, 200, text);
  const { result }: { result: { symbol: string; price: number }[] } = JSON.parse(text);
  assert.equal(result.length, ASSETS);
  const [round = Number.NaN, ...others] = new Set(
    result.map(row => (row.price - Number(row.symbol.slice(1))) / 1000 - 1),
  );
  assert.deepEqual(others, [], `rows of several rounds, ${round} among them`);
  return round;
}

/** Asks for the history of an asset and for its row in the listing: where both are of one version, they must be the same. */
export async function assertHistory(url: string): Promise<void> {
  const headers = { 'x-api-key': DEMO_KEYS.pro, connection: 'close' };
  const symbol = `K${Math.floor(ASSETS * Math.random())}`;
  const [listed, history] = await Promise.all(
    ['ta-cur', 'ta-hist'].map(async dataset => {
      const answer = await ask(url, `/v1/crypto/${dataset}?symbol=${symbol}&limit=1`, { headers });
      assert.equal(answer.status, 200, answer.text);
      return { version: answer.headers['x-data-version'], rows: answer.json<{ result: unknown[] }>().result };
    }),
  );
  if (listed?.version === history?.version) assert.deepEqual(history, listed);
}

/** That key is there as it was made, and no other. */
export function assertKeys(keys: readonly StoredKey[]): void {
  const [key, ...others] = keys;
  assert.deepEqual([key?.id, key?.tier, key?.revokedAt, others.length], [ASKING_KEY.id, ASKING_KEY.tier, null, 0]);
  assert.deepEqual(Buffer.from(key!.hash), Buffer.from(ASKING_KEY.hash));
}
