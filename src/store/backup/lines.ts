// A store as the lines of a backup, all of one point in time.

import { createHash } from 'node:crypto';
import { DEMO_KEYS, hashOf } from '../../domain/api-key.ts';
import type { Asset, AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../domain/day.ts';
import type { Origin, Origins } from '../port/origins.ts';
import type { StoreView } from '../port/store.ts';
import { type BackupRecord, type End, FORMAT, type Header } from './format.ts';
import { bytesOfValues } from './values.ts';

/** Usage is read this many days at a time. */
const USAGE_DAYS = 366;

export interface BackupProgress {
  readonly assets: number;
  readonly totalAssets: number;
  readonly bars: number;
}

/** `records` counts lines between the header and the end. */
export async function* backupLines(
  view: StoreView,
  withSecrets: boolean,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<string> {
  const sha256 = createHash('sha256');
  let records = -1;
  for await (const line of linesBeforeEnd(view, withSecrets, onProgress)) {
    sha256.update(line);
    records++;
    yield line;
  }
  const end: End = { kind: 'end', records, sha256: sha256.digest('hex') };
  yield `${JSON.stringify(end)}\n`;
}

async function* linesBeforeEnd(
  view: StoreView,
  withSecrets: boolean,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<string> {
  const assets = await view.assets();
  const { columns, version, rows } = await view.currentSince(0);
  const bars = assets.reduce((sum, asset) => sum + asset.bars, 0);
  const header: Header = {
    tidemark: 'backup',
    format: FORMAT,
    createdAt: new Date().toISOString(),
    version,
    columns,
    keysVersion: await view.keysVersion(),
    assets: assets.length,
    bars,
  };
  yield `${JSON.stringify(header)}\n`;
  yield* assetLines(view, assets);
  for await (const { assetNumber, sourced } of view.profiles())
    yield line({ kind: 'profile', asset: assetNumber, ...sourced });
  yield* barLines(view, assets, onProgress);
  for (const { assetNumber, day, history, price, values } of rows) {
    const base64 = Buffer.from(bytesOfValues(values)).toString('base64');
    yield line({ kind: 'current', asset: assetNumber, day, history, price, values: base64 });
  }
  const loads = await view.loads(Number.MAX_SAFE_INTEGER);
  for (const load of loads.reverse()) {
    yield line({ kind: 'load', ...load, rejects: await view.rejects(load.id, Number.MAX_SAFE_INTEGER) });
  }
  yield* keyLines(view);
  yield* alertLines(view, withSecrets);
}

function line(record: BackupRecord): string {
  return `${JSON.stringify(record)}\n`;
}

async function* assetLines(view: StoreView, assets: readonly Asset[]): AsyncGenerator<string> {
  const pending = new Set(await view.pending());
  for (const { assetNumber, firstDay, lastDay, bars, ...facts } of assets) {
    yield line({ kind: 'asset', key: assetNumber, ...facts, pending: pending.has(assetNumber) });
  }
}

async function* barLines(
  view: StoreView,
  assets: readonly Asset[],
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<string> {
  let [done, bars] = [0, 0];
  const { assetNumber, day, close } = await view.replacedCloses();
  const replaced = Map.groupBy(assetNumber.keys(), i => assetNumber[i]!);
  for (const asset of assets) {
    const published = (replaced.get(asset.assetNumber) ?? []).map(i => `[${day[i]},${numberText(close[i]!)}]`);
    if (asset.bars > 0) {
      const all = await view.bars(asset.assetNumber, FIRST_DAY, LAST_DAY);
      yield barLine(asset.assetNumber, all, await view.origins(asset.assetNumber), published);
    }
    done++;
    bars += asset.bars;
    onProgress({ assets: done, totalAssets: assets.length, bars });
  }
}

function barLine(
  asset: AssetNumber,
  { day, open, high, low, close, volume }: BarColumns,
  origins: Origins,
  published: readonly string[],
): string {
  const columns = Object.entries({ day, open, high, low, close, volume });
  const members = columns.map(([name, values]) => `"${name}":${numbers(values)}`);
  if (origins.size > 0) members.push(`"loads":${JSON.stringify(runsOf(day, origins))}`);
  if (published.length > 0) members.push(`"published":[${published.join()}]`);
  return `{"kind":"bars","asset":${asset},${members.join()}}\n`;
}

function runsOf(days: Int32Array, origins: Origins): [closes: number, origin: Origin][] {
  const runs: [number, Origin][] = [];
  for (const day of days) {
    const origin = origins.get(day) ?? 0;
    const last = runs.at(-1);
    if (last?.[1] === origin) last[0]++;
    else runs.push([1, origin]);
  }
  return runs;
}

function numbers(values: Int32Array | Float64Array): string {
  const texts: string[] = [];
  for (const value of values) texts.push(numberText(value));
  return `[${texts.join()}]`;
}

/** As JSON that reads back bit by bit; JSON.stringify would lose the sign of -0. */
function numberText(value: number): string {
  return Number.isNaN(value) ? 'null' : Object.is(value, -0) ? '-0' : String(value);
}

async function* keyLines(view: StoreView): AsyncGenerator<string> {
  // The demo's API keys are public; no other store may have them.
  const known = new Set(Object.values(DEMO_KEYS).map(key => hexOf(hashOf(key))));
  for (const { hash, ...key } of await view.keys()) {
    if (!known.has(hexOf(hash))) yield line({ kind: 'key', ...key, hash: hexOf(hash) });
  }
  const last = (await view.lastUses()).values().reduce((newest, day) => Math.max(newest, day), -1);
  for (let from = FIRST_DAY; from <= last; from = (from + USAGE_DAYS) as Day) {
    const to = Math.min(from + USAGE_DAYS - 1, last) as Day; // at most a day that the store had
    for (const use of await view.usage(from, to)) yield line({ kind: 'usage', ...use });
  }
}

/** Without secrets an alert is restored paused and without its destination, whose address is a secret too. */
async function* alertLines(view: StoreView, withSecrets: boolean): AsyncGenerator<string> {
  for (const { waiting, ...alert } of await view.alerts()) {
    yield line({ kind: 'alert', ...alert, ...(withSecrets ? {} : { target: null, paused: true }) });
  }
  const deliveries = await view.deliveries(Number.MAX_SAFE_INTEGER);
  for (const delivery of deliveries.reverse()) yield line({ kind: 'delivery', ...delivery });
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
