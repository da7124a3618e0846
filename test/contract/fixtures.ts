// What the store's contract is tried with: drafts, profiles, batches of bars, and processes of their own.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AssetDraft, AssetNumber } from '../../src/domain/asset.ts';
import { dayFromIso } from '../../src/domain/day.ts';
import type { SourcedProfile } from '../../src/domain/profile.ts';
import type { CurrentRow, StoredBars } from '../../src/store/store.ts';

export const DAY = dayFromIso('2024-03-01')!;

export function draft(id: string, facts: Partial<AssetDraft> = {}): AssetDraft {
  return {
    id,
    symbol: id.toUpperCase(),
    name: id,
    rank: null,
    type: null,
    supply: null,
    tags: '',
    provisional: false,
    delisted: false,
    ...facts,
  };
}

/** Day as an offset from DAY; a number that is left out is unknown. */
export interface Bar {
  readonly assetNumber: AssetNumber;
  readonly day: number;
  readonly close: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly volume?: number;
}

/** `spare` more places than there are bars, filled with what must not be read. */
export function batch(bars: readonly Bar[], spare = 0): StoredBars {
  const size = bars.length + spare;
  const numbers = (name: 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from({ length: size }, (_, i) => (i < bars.length ? (bars[i]![name] ?? Number.NaN) : 666));
  return {
    count: bars.length,
    assetNumber: Uint32Array.from({ length: size }, (_, i) => bars[i]?.assetNumber ?? 666),
    day: Int32Array.from({ length: size }, (_, i) => DAY + (bars[i]?.day ?? 666)),
    open: numbers('open'),
    high: numbers('high'),
    low: numbers('low'),
    close: numbers('close'),
    volume: numbers('volume'),
  };
}

export function row(assetNumber: AssetNumber, price: number, values: readonly number[] = [price]): CurrentRow {
  return { assetNumber, day: DAY, history: 7, price, values: Float64Array.from(values) };
}

export function profile(id: string, more: Partial<SourcedProfile['profile']> = {}, extra = {}): SourcedProfile {
  return {
    profile: {
      id,
      name: id,
      symbol: id.toUpperCase(),
      rank: null,
      is_new: null,
      is_active: null,
      type: null,
      tags: [],
      team: [],
      description: null,
      message: null,
      open_source: null,
      started_at: null,
      development_status: null,
      hardware_wallet: null,
      proof_type: null,
      org_structure: null,
      hash_algorithm: null,
      links: { explorer: [], facebook: [], reddit: [], source_code: [], website: [], youtube: [] },
      links_extended: [],
      whitepaper: { link: null, thumbnail: null },
      first_data_at: null,
      ...more,
    },
    extra,
  };
}

export type Child = ChildProcessByStdio<Writable, Readable, null>;

const CHILD = fileURLToPath(new URL('store-child.ts', import.meta.url));

/** Ends with the test at the latest. */
export function startChild(t: TestContext, url: string, ...task: string[]): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, url, ...task], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** The word that it prints. */
export async function wordOf(child: Child): Promise<string> {
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk).trim();
}

export async function ended(child: Child): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
