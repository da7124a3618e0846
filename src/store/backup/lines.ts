// A store as the lines of a backup, all of one point in time.

import { createHash } from 'node:crypto';
import { DEMO_KEYS, hashOf } from '../../domain/api-key.ts';
import type { Asset, AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import { type Day, FIRST_DAY } from '../../domain/day.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../../domain/interval.ts';
import type { Origin, Origins } from '../port/origins.ts';
import type { ReplacedBatch } from '../port/replaced-closes.ts';
import type { IntervalTotals, PublishedSpans, Series, StoreView } from '../port/store.ts';
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
  const intervals = await view.intervals();
  const dropped = intervals.flatMap(({ interval, droppedBefore }) =>
    droppedBefore === null ? [] : [[interval, droppedBefore] as const],
  );
  const header: Header = {
    tidemark: 'backup',
    format: FORMAT,
    createdAt: new Date().toISOString(),
    version,
    columns,
    keysVersion: await view.keysVersion(),
    assets: assets.length,
    bars: intervals.reduce((sum, { bars }) => sum + bars, 0),
    dropped: Object.fromEntries(dropped),
  };
  yield `${JSON.stringify(header)}\n`;
  yield* assetLines(view, assets);
  for await (const { assetNumber, sourced } of view.profiles())
    yield line({ kind: 'profile', asset: assetNumber, ...sourced });
  for (const { assetNumber } of assets) {
    const records = await view.factsOf(assetNumber);
    if (records.length > 0) yield line({ kind: 'facts', asset: assetNumber, records });
  }
  yield* barLines(view, assets, intervals, onProgress);
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
  for await (const row of view.copiedRows()) yield line({ kind: 'row', ...row });
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
  intervals: readonly IntervalTotals[],
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<string> {
  let [done, bars] = [0, 0];
  const all: IntervalLines[] = [];
  for (const { interval, bars } of intervals) if (bars > 0) all.push(await IntervalLines.of(view, interval));
  for (const { assetNumber } of assets) {
    for (const lines of all) bars += yield* lines.ofAsset(assetNumber);
    done++;
    onProgress({ assets: done, totalAssets: assets.length, bars });
  }
}

/** Bars per line of an interval finer than a day. */
const BARS_PER_LINE = 20_000;

/** The bars of one interval. */
class IntervalLines {
  readonly #series: Series;
  readonly #interval: BaseInterval;
  readonly #published: ReadonlyMap<AssetNumber, string[]>;
  readonly #spans: ReadonlyMap<AssetNumber, string>;

  private constructor(series: Series, interval: BaseInterval, replaced: ReplacedBatch, spans: PublishedSpans) {
    this.#series = series;
    this.#interval = interval;
    const { assetNumber, day, close } = replaced;
    const places = Map.groupBy(assetNumber.keys(), i => assetNumber[i]!);
    const texts = (own: readonly number[]) => own.map(i => `[${day[i]},${numberText(close[i]!)}]`);
    this.#published = new Map([...places].map(([asset, own]) => [asset, texts(own)]));
    this.#spans = new Map(Array.from(spans.assetNumber, (asset, i) => [asset, `[${spans.first[i]},${spans.last[i]}]`]));
  }

  static async of(view: StoreView, interval: BaseInterval): Promise<IntervalLines> {
    const series = view.series(interval);
    return new IntervalLines(series, interval, await series.replacedCloses(), await series.publishedSpans());
  }

  /** Returns how many bars there are. */
  async *ofAsset(asset: AssetNumber): AsyncGenerator<string, number, undefined> {
    const bars = await this.#series.bars(asset, FIRST_DAY, LAST_PERIOD as Period); // the last one of every interval
    const count = bars.day.length;
    if (count === 0) return 0;
    const origins = await this.#series.origins(asset);
    const published = this.#published.get(asset) ?? [];
    const facts = published.length > 0 ? [`"published":[${published.join()}]`] : [];
    if (this.#interval === '1d') yield barLine([`"asset":${asset}`], bars, origins, facts);
    else {
      const start = [`"asset":${asset}`, `"interval":"${this.#interval}"`];
      facts.push(`"span":${this.#spans.get(asset) ?? null}`);
      for (let from = 0; from < count; from += BARS_PER_LINE)
        yield barLine(start, barsBetween(bars, from, from + BARS_PER_LINE), origins, from === 0 ? facts : []);
    }
    return count;
  }
}

function barsBetween({ day, open, high, low, close, volume }: BarColumns, from: number, to: number): BarColumns {
  const cut = (values: Float64Array) => values.subarray(from, to);
  const prices = { open: cut(open), high: cut(high), low: cut(low), close: cut(close) };
  return { day: day.subarray(from, to), ...prices, volume: cut(volume) };
}

function barLine(
  start: readonly string[],
  { day, open, high, low, close, volume }: BarColumns,
  origins: Origins,
  facts: readonly string[],
): string {
  const columns = Object.entries({ day, open, high, low, close, volume });
  const members = columns.map(([name, values]) => `"${name}":${numbers(values)}`);
  if (origins.size > 0) members.push(`"loads":${JSON.stringify(runsOf(day, origins))}`);
  return `{"kind":"bars",${[...start, ...members, ...facts].join()}}\n`;
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
