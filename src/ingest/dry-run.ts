// A load that stores nothing: how its files are read, their first bars, and what would change in the store.

import type { Bar } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { BaseInterval } from '../domain/interval.ts';
import { sourceBars } from '../domain/source-bars.ts';
import { readSources } from '../publish/sources-of.ts';
import type { Store } from '../store/store.ts';
import { AssetRegistry } from './asset-registry.ts';
import { acceptedFacts } from './facts/accept-facts.ts';
import type { LoadListeners } from './load-record.ts';
import type {
  AssetRef,
  BarBatch,
  FileReading,
  Reject,
  RejectReason,
  Since,
  Source,
  SourceItem,
  StatedFacts,
} from './source.ts';
import { sourceNameOf, storedSpans } from './source-routes.ts';
import { TurnoverCheck } from './turnover-check.ts';
import { latestPeriod, validateBars } from './validate.ts';

export interface DryRunOptions extends Pick<LoadListeners, 'onReject' | 'onWarning'> {
  /** Null: there is none yet. */
  readonly store: Store | null;
  readonly source: Source;
  /** The current UTC day; bars after it are refused. */
  readonly today: Day;
  readonly signal: AbortSignal;
}

export interface DryRunReport {
  readonly files: readonly FileReport[];
  readonly profiles: number;
  /** Bars. */
  readonly read: number;
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejectsByReason: Readonly<Partial<Record<RejectReason, number>>>;
  readonly warnings: readonly string[];
  readonly assets: number;
  /** Tickers of those that the store does not have. */
  readonly newAssets: readonly string[];
}

export interface FileReport {
  readonly name: string;
  /** Null if the source is not made of files with columns. */
  readonly reading: Omit<FileReading, 'name'> | null;
  readonly first: readonly FirstBar[];
}

/** What it calls its day is a period of the interval. */
interface FirstBar extends Omit<Bar, 'day'> {
  readonly symbol: string;
  readonly interval: BaseInterval;
  readonly day: number;
}

const FIRST_BARS = 3;
const FACTS = ['rank', 'supply', 'marketCap'] as const;
const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

export async function dryRun(options: DryRunOptions): Promise<DryRunReport> {
  const run = new DryRun(options, options.store === null ? null : await AssetRegistry.load(options.store));
  const { source, signal } = options;
  for await (const item of source.profiles(signal)) await run.take(item);
  for await (const item of source.bars(run.since(), signal)) await run.take(item);
  return run.report();
}

class DryRun {
  readonly #options: DryRunOptions;
  readonly #registry: AssetRegistry | null;
  readonly #files = new Map<string, { reading: FileReport['reading']; first: FileReport['first'][number][] }>();
  readonly #counts = { profiles: 0, read: 0, inserted: 0, replaced: 0, unchanged: 0, rejected: 0 };
  readonly #reasons: Partial<Record<RejectReason, number>> = {};
  readonly #warnings: string[] = [];
  readonly #assets = new Set<string>();
  readonly #newAssets = new Set<string>();
  readonly #turnover = new TurnoverCheck();

  constructor(options: DryRunOptions, registry: AssetRegistry | null) {
    this.#options = options;
    this.#registry = registry;
  }

  since(): Since {
    const { store, source } = this.#options;
    return store === null || this.#registry === null
      ? async () => null
      : storedSpans(store, this.#registry, sourceNameOf(source));
  }

  async take(item: SourceItem): Promise<void> {
    if (item.kind === 'profile') this.#counts.profiles++;
    else if (item.kind === 'file') this.#file(item.file.name).reading = item.file;
    else if (item.kind === 'reject') this.#reject(item.reject);
    else if (item.kind === 'warning') this.#warn(item.text);
    else if (item.kind === 'bars') await this.#takeBars(item.batch);
    else if (item.kind === 'facts') await this.#takeFacts(item.stated);
  }

  report(): DryRunReport {
    const note = this.#turnover.note();
    if (note !== null) this.#warn(note);
    return {
      files: [...this.#files].map(([name, file]) => ({ name, ...file })),
      ...this.#counts,
      rejectsByReason: this.#reasons,
      warnings: this.#warnings,
      assets: this.#assets.size,
      newAssets: [...this.#newAssets],
    };
  }

  #file(name: string) {
    const known = this.#files.get(name) ?? { reading: null, first: [] };
    this.#files.set(name, known);
    return known;
  }

  #reject(reject: Reject): void {
    this.#counts.rejected++;
    this.#reasons[reject.reason] = (this.#reasons[reject.reason] ?? 0) + 1;
    this.#options.onReject?.(reject);
  }

  #warn(text: string): void {
    this.#warnings.push(text);
    this.#options.onWarning?.(text);
  }

  async #takeFacts(stated: StatedFacts): Promise<void> {
    this.#counts.read += stated.rows.length;
    const find = (ref: AssetRef) => this.#registry?.find(ref) ?? null;
    const rows = acceptedFacts(stated, find, this.#options.today, reject => this.#reject(reject));
    // Without a store, no asset is known.
    const known = await this.#options.store?.factsOn(
      rows.map(row => row.assetNumber),
      rows.map(row => row.day),
    );
    for (const [i, row] of rows.entries()) {
      this.#assets.add(String(row.assetNumber));
      const changed = FACTS.filter(name => row[name] !== undefined && row[name] !== known?.[name][i]);
      const isReplaced = changed.some(name => !Number.isNaN(known?.[name][i] ?? Number.NaN));
      this.#counts[changed.length === 0 ? 'unchanged' : isReplaced ? 'replaced' : 'inserted']++;
    }
  }

  async #takeBars(batch: BarBatch): Promise<void> {
    const refused = new Uint8Array(batch.count);
    validateBars(batch, latestPeriod(batch.interval, this.#options), refused, reject => this.#reject(reject));
    this.#turnover.add(batch, refused);
    this.#counts.read += batch.count;
    const { first } = this.#file(batch.origin);
    /** By asset and day: of two bars the later one counts. */
    const bars = new Map<number, Map<number, number>>();
    for (let i = 0; i < batch.count; i++) {
      if (refused[i] === 1) continue;
      const asset = batch.asset[i]!;
      if (first.length < FIRST_BARS) first.push(barAt(batch, i));
      const own = bars.get(asset) ?? new Map<number, number>();
      bars.set(asset, own.set(batch.day[i]!, i));
    }
    for (const [asset, own] of bars) await this.#compare(batch, batch.assets[asset]!, own);
  }

  async #compare(batch: BarBatch, ref: AssetRef, own: ReadonlyMap<number, number>): Promise<void> {
    const name = ref.id ?? ref.symbol;
    this.#assets.add(name);
    const asset = this.#registry?.find(ref) ?? null;
    if (asset === null || this.#options.store === null) {
      this.#newAssets.add(name);
      this.#counts.inserted += own.size;
      return;
    }
    let [from, to] = [Number.POSITIVE_INFINITY, 0];
    for (const period of own.keys()) [from, to] = [Math.min(from, period), Math.max(to, period)];
    const { store, source } = this.#options;
    const sources = await readSources(store, asset.assetNumber, batch.interval, from, to);
    const stored = sources.find(each => each.source === sourceNameOf(source)) ?? sourceBars(null, 0);
    const places = new Map(Array.from(stored.period, (period, at) => [period, at]));
    for (const [day, i] of own) {
      const at = places.get(day);
      if (at === undefined) this.#counts.inserted++;
      // A number that a bar lacks changes nothing.
      else if (NUMBERS.every(field => Number.isNaN(batch[field][i]) || batch[field][i] === stored[field][at]))
        this.#counts.unchanged++;
      else this.#counts.replaced++;
    }
  }
}

function barAt(batch: BarBatch, i: number): FirstBar {
  return {
    symbol: batch.assets[batch.asset[i]!]!.symbol,
    interval: batch.interval,
    day: batch.day[i]!,
    open: batch.open[i]!,
    high: batch.high[i]!,
    low: batch.low[i]!,
    close: batch.close[i]!,
    volume: batch.volume[i]!,
  };
}
