// A store for floods of costly requests: many assets with short histories, a few with long ones, and an API key of each tier.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf, newApiKey } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { tidemark } from '../../support/server-process.ts';

export const ATTACKING_TIERS = ['free', 'basic', 'pro', 'unlimited'] as const;
/** Of the clients that are measured: without a limit on requests, and with the least weight. */
export const OTHERS_TIER = 'others: rows=100 rate=100000 burst=100000 quota=1000000000 weight=1';

export interface CostlyStore {
  readonly url: string;
  /** By tier. */
  readonly keys: Readonly<Record<(typeof ATTACKING_TIERS)[number] | 'others', string>>;
  readonly newestDay: string;
  readonly remove: () => void;
}

export async function costlyStore(size: {
  readonly assets: number;
  readonly days: number;
  readonly longAssets: number;
  readonly longDays: number;
}): Promise<CostlyStore> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-costly-'));
  const url = `sqlite:${join(folder, 'store.db')}`;
  const today = Math.floor(Date.now() / 86_400_000);
  const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const series = (symbol: string, days: number, seed: number) =>
    Array.from({ length: days }, (_, i) => {
      const price = (1 + (seed % 997)) * (1 + 0.3 * Math.sin((i + seed) / 7));
      return `${symbol},${iso(today - days + 1 + i)},${price.toPrecision(9)},${1 + ((seed * 31 + i) % 1000)}`;
    });
  const file = join(folder, 'closes.csv');
  writeFileSync(file, 'symbol,day,close,volume\n');
  for (let asset = 0; asset < size.assets; asset += 1000) {
    const part = Array.from({ length: Math.min(1000, size.assets - asset) }, (_, i) => asset + i);
    writeFileSync(file, `${part.flatMap(i => series(`S${i}`, size.days, i)).join('\n')}\n`, { flag: 'a' });
  }
  for (let i = 0; i < size.longAssets; i++) {
    writeFileSync(file, `${series(`LONG${i}`, size.longDays, i).join('\n')}\n`, { flag: 'a' });
  }
  await tidemark('ingest', 'csv', file, '--store', url);
  const store = await openStore(url);
  const entries = [...ATTACKING_TIERS, 'others'].map(tier => [tier, newApiKey()] as const);
  for (const [tier, key] of entries) {
    await store.createKey({ id: `key_${tier}`, hash: hashOf(key), tier, name: null, expires: null });
  }
  await store.close();
  return {
    url,
    keys: Object.fromEntries(entries) as CostlyStore['keys'], // of exactly these tiers
    newestDay: iso(today),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
