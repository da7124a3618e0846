// A store for floods of costly requests: many assets with short histories in days, hours and minutes, a few with long ones, columns of the
// settings, and an API key of each tier.

import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf, newApiKey } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { tidemark } from '../../support/server-process.ts';

export const ATTACKING_TIERS = ['free', 'basic', 'pro', 'unlimited'] as const;
/**
 * `others` are the clients that are measured: without a limit on requests, and with the least weight. The attackers may have everything that
 * a tier can include.
 */
export const TIERS_SETTING =
  'others: rows=100 rate=100000 burst=100000 quota=1000000000 weight=1; unlimited: alerts=yes';
/** Long windows, windows in windows, and one that cannot be continued from the day before. */
const OWN_COLUMNS = {
  own0: 'sma(ema(close, 400), 400)',
  own1: 'stdev(close, 400) / sma(close, 400)',
  own2: 'max(close, 400) / min(close, 400)',
  own3: 'zscore(turnover, 30)',
};

export interface CostlyStore {
  readonly url: string;
  /** The settings with which it was loaded, and a server must serve it. */
  readonly settings: readonly string[];
  readonly ownColumns: number;
  /** By tier. */
  readonly keys: Readonly<Record<(typeof ATTACKING_TIERS)[number] | 'others', string>>;
  readonly newestDay: string;
  readonly remove: () => void;
}

/** How many bars of each interval an asset has. */
interface Bars {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

export interface CostlySize {
  readonly assets: number;
  readonly bars: Bars;
  readonly longAssets: number;
  readonly longBars: Bars;
}

const DAY = 86_400_000;
const UNITS = { days: DAY, hours: 3_600_000, minutes: 60_000 } as const;

/** With a `folder`, the store stays there, and one that is there already is used again. */
export async function costlyStore(size: CostlySize, folder = ''): Promise<CostlyStore> {
  if (folder === '') {
    const made = mkdtempSync(join(tmpdir(), 'tidemark-costly-'));
    return { ...(await makeStore(size, made)), remove: () => rmSync(made, { recursive: true }) };
  }
  const facts = join(folder, 'costly-store.json');
  if (!existsSync(facts)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(facts, JSON.stringify(await makeStore(size, folder)));
  }
  return { ...JSON.parse(readFileSync(facts, 'utf8')), remove: () => {} };
}

async function makeStore(size: CostlySize, folder: string): Promise<Omit<CostlyStore, 'remove'>> {
  const url = `sqlite:${join(folder, 'store.db')}`;
  const config = join(folder, 'tidemark.json');
  writeFileSync(config, JSON.stringify({ columns: OWN_COLUMNS }));
  const settings = ['--store', url, '--config', config];
  const today = Math.floor(Date.now() / DAY) * DAY;
  const names = [['days', '1d'] as const, ['hours', '1h'] as const, ['minutes', '1m'] as const];
  for (const [unit, interval] of names) {
    const file = join(folder, `${unit}.csv`);
    // Hours and minutes end with yesterday, so that none is in the future.
    writeSeries(file, size, unit, unit === 'days' ? today : today - UNITS[unit]);
    await tidemark('ingest', 'csv', file, '--interval', interval, ...settings);
    rmSync(file);
  }
  const store = await openStore(url);
  const entries = [...ATTACKING_TIERS, 'others'].map(tier => [tier, newApiKey()] as const);
  for (const [tier, key] of entries) {
    await store.createKey({ id: `key_${tier}`, hash: hashOf(key), tier, name: null, expires: null });
  }
  await store.close();
  return {
    url,
    settings,
    ownColumns: Object.keys(OWN_COLUMNS).length,
    keys: Object.fromEntries(entries) as CostlyStore['keys'], // of exactly these tiers
    newestDay: new Date(today).toISOString().slice(0, 10),
  };
}

/** Of every asset, the last bar at `newest`. */
function writeSeries(path: string, size: CostlySize, unit: keyof Bars, newest: number): void {
  const file = openSync(path, 'w');
  const timeText = (at: number) => new Date(at).toISOString().slice(0, unit === 'days' ? 10 : 16);
  const timesOf = (count: number) =>
    Array.from({ length: count }, (_, i) => timeText(newest - (count - 1 - i) * UNITS[unit]));
  const zone = unit === 'days' ? '' : 'Z';
  const write = (symbol: string, times: readonly string[], seed: number) => {
    const lines = times.map((time, i) => {
      const price = (1 + (seed % 997)) * (1 + 0.3 * Math.sin((i + seed) / 7));
      return `${symbol},${time}${zone},${price.toPrecision(9)},${1 + ((seed * 31 + i) % 1000)}\n`;
    });
    writeSync(file, lines.join(''));
  };
  writeSync(file, 'symbol,time,close,volume\n');
  const times = timesOf(size.bars[unit]);
  for (let i = 0; i < size.assets; i++) write(`S${i}`, times, i);
  const longTimes = timesOf(size.longBars[unit]);
  for (let i = 0; i < size.longAssets; i++) write(`LONG${i}`, longTimes, i);
  closeSync(file);
}
