// One load: pull from a source, validate, store, recompute what changed, publish.
//
// Bars are stored batch by batch, each batch in a transaction that also marks its assets as pending. The last step computes
// the pending rows and publishes them under a new version in one transaction. Whatever stops a load, the published rows are
// the old ones or the new ones, and what was stored stays: the next load finds the marks and completes the work.

import type { Day } from '../domain/day.ts';
import { type BaseInterval, coarserPeriod } from '../domain/interval.ts';
import { type PriceRules, storePriceRules } from '../publish/price-rules.ts';
import { type Recomputed, recomputePending } from '../publish/publish-pending.ts';
import { type FindingPlace, type Store, type StoredBars, StoreError } from '../store/store.ts';
import { AssetRegistry, isTwin } from './asset-registry.ts';
import { acceptedFacts } from './facts/accept-facts.ts';
import { FactWriter } from './facts/fact-writer.ts';
import { InconsistentBars } from './inconsistent-bars.ts';
import { type LoadListeners, LoadRecord, type RecordedLoad } from './load-record.ts';
import { asOnlyWriter, LOADS_LOOKED_AT } from './only-writer.ts';
import { type DroppedBars, dropOldBars, type Retention } from './retention.ts';
import type { BarBatch, ListedAsset, Reject, Source, SourceContradiction, SourceItem, StatedFacts } from './source.ts';
import { SourceRoutes, sourceNameOf, storedSpans } from './source-routes.ts';
import { TurnoverCheck } from './turnover-check.ts';
import { latestPeriod, validateBars } from './validate.ts';

const PROFILES_AT_ONCE = 200;
const ASSETS_AT_ONCE = 500;

export interface LoadOptions extends LoadListeners {
  readonly store: Store;
  readonly source: Source;
  /** Names the load in the store's record, where the source's name alone would not tell it from another. */
  readonly label?: string;
  /** Ticker of the benchmark asset from now on; without it, the store keeps its own. */
  readonly benchmark?: string | undefined;
  /** Publish the optional columns, from now on. */
  readonly allColumns?: boolean;
  /** The price rules from now on; without them, the store keeps its own. */
  readonly priceRules?: PriceRules | null;
  /** The current UTC day; bars after it are refused. */
  readonly today: Day;
  /** The current time in milliseconds since 1970, by default that of this machine: hours and minutes that begin after it are refused. */
  readonly now?: () => number;
  /** What is older than this is dropped after the load; without it, nothing. */
  readonly retention?: Retention;
  /** Ends the load early: what was stored until then is computed and published. */
  readonly signal: AbortSignal;
}

export interface LoadSummary extends RecordedLoad {
  readonly recomputed: Recomputed;
  readonly dropped: readonly DroppedBars[];
}

/** Undefined: the store keeps its own. */
async function benchmarkFor({ benchmark, source, store }: LoadOptions): Promise<string | undefined> {
  if (benchmark !== undefined || source.benchmark === undefined) return benchmark;
  return (await store.columns()) === null ? source.benchmark : undefined;
}

export function load(options: LoadOptions): Promise<LoadSummary> {
  return asOnlyWriter(options.store, lockLost => runLoad({ ...options, lockLost }));
}

/**
 * Loads unless a load from the same source began less than `intervalMs` ago and did not fail; then null. Decided under the
 * writer's lock: of many who try at the same time, one loads.
 */
export function loadIfDue(options: LoadOptions, intervalMs: number): Promise<LoadSummary | null> {
  const { store, label, source } = options;
  return asOnlyWriter(store, async lockLost => {
    const earlier = await store.loads(LOADS_LOOKED_AT, label ?? source.name);
    const recent = earlier.find(load => load.state === 'done');
    // A load of the far future was recorded by a clock that has been set right since.
    const due = recent === undefined || Math.abs(Date.now() - Date.parse(recent.startedAt)) >= intervalMs;
    return due ? await runLoad({ ...options, lockLost }) : null;
  });
}

async function runLoad(options: LockedOptions): Promise<LoadSummary> {
  return new Load(options, await options.store.beginLoad(options.label ?? options.source.name)).complete();
}

/** With the findings that the load has made itself. */
function withRecorded(recomputed: Recomputed, inconsistent: number): Recomputed {
  const { newFindings } = recomputed;
  if (inconsistent === 0) return recomputed;
  const all = (newFindings.inconsistent ?? 0) + inconsistent;
  return { ...recomputed, newFindings: { ...newFindings, inconsistent: all } };
}

interface LockedOptions extends LoadOptions {
  /** The connection that held the lock broke: another process may be writing, so nothing more may be written. */
  readonly lockLost: AbortSignal;
}

type ProfileItem = Extract<SourceItem, { kind: 'profile' }>;

class Load {
  readonly #options: LockedOptions;
  readonly #record: LoadRecord;
  readonly #facts: FactWriter;
  readonly #turnover = new TurnoverCheck();
  #listed: ListedAsset[] = [];
  #buffers: { refused: Uint8Array; assetNumbers: Uint32Array } = {
    refused: new Uint8Array(0),
    assetNumbers: new Uint32Array(0),
  };
  /** The batch before: a database in a process of its own stores it while the next one is read. */
  #storing: Promise<void> = Promise.resolve();
  #routes: SourceRoutes | null = null;
  #inconsistent: InconsistentBars | null = null;

  constructor(options: LockedOptions, load: number) {
    this.#options = options;
    this.#record = new LoadRecord(load, options.store, options);
    this.#facts = new FactWriter(options.store, load);
  }

  async complete(): Promise<LoadSummary> {
    const { store, signal, allColumns, retention, priceRules } = this.#options;
    const record = this.#record;
    try {
      const failure = await this.#pull();
      if (record.accepted > 0) {
        record.phase = 'indicators';
        record.report();
      }
      this.#checkLock();
      const dropped = retention === undefined || record.accepted === 0 ? [] : await dropOldBars(store, retention);
      this.#checkLock();
      if (priceRules) await storePriceRules(store, priceRules);
      const benchmark = await benchmarkFor(this.#options);
      const recomputed = await recomputePending(store, record.profiles > 0, allColumns ? 'all' : 'default', benchmark);
      if (failure !== null) throw failure;
      const error = signal.aborted ? null : record.nothingLoaded();
      const state = signal.aborted ? 'stopped' : error === null ? 'done' : 'failed';
      const closed = await record.close(state, error);
      return { ...closed, recomputed: withRecorded(recomputed, this.#inconsistent?.added ?? 0), dropped };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // A store that failed cannot take the record of it; the failure itself is what the caller must see.
      await record.close('failed', message).catch(() => undefined);
      throw error;
    }
  }

  /** Everything that the source gives. What it could not give is returned, so that what it gave is computed all the same. */
  async #pull(): Promise<Error | null> {
    const { store, source, signal, lockLost, today } = this.#options;
    const at = { day: today, load: this.#record.load };
    await store.beginFacts(at);
    const registry = await AssetRegistry.load(store, at);
    const name = sourceNameOf(source);
    this.#routes = await SourceRoutes.ofAll(store, name, registry);
    this.#inconsistent = await InconsistentBars.of(store, name);
    const ended = AbortSignal.any([signal, lockLost]);
    try {
      await this.#pullProfiles(registry, source.profiles(ended));
      this.#record.phase = 'bars';
      await this.#pullBars(registry, source.bars(storedSpans(store, registry, name), ended));
      return null;
    } catch (error) {
      if (error instanceof StoreError || !(error instanceof Error)) throw error;
      // A source may report a stop by an error.
      return ended.aborted ? null : error;
    }
  }

  /** Before every write: a writer without the lock could undo what another one did. */
  #checkLock(): void {
    if (!this.#options.lockLost.aborted) return;
    throw new StoreError(
      'unreachable',
      `the connection to ${this.#options.store.description} that held the lock of the writer broke`,
      'Run the same command again: what was stored is kept.',
    );
  }

  async #pullProfiles(registry: AssetRegistry, items: AsyncIterable<SourceItem>): Promise<void> {
    let waiting: ProfileItem[] = [];
    const flush = async () => {
      this.#checkLock();
      const assetNumbers = await registry.numbersOfProfiles(waiting.map(item => item.sourced));
      const changes = await this.#options.store.putProfiles(
        waiting.map((item, i) => ({ assetNumber: assetNumbers[i]!, sourced: item.sourced })),
      );
      this.#record.profiles += changes.inserted + changes.replaced;
      this.#record.count(waiting.length, changes);
      waiting = [];
    };
    try {
      for await (const item of items) {
        if (item.kind !== 'profile') await this.#takeOther(registry, item);
        else if (this.#isUnambiguous(registry, item, waiting)) waiting.push(item);
        if (waiting.length >= PROFILES_AT_ONCE) await flush();
        if (this.#options.signal.aborted) break;
      }
    } finally {
      // Also when the source has failed: what it gave before is good.
      await this.#storeListed(registry);
      if (waiting.length > 0) await flush();
    }
  }

  #isUnambiguous(registry: AssetRegistry, { where, sourced }: ProfileItem, waiting: readonly ProfileItem[]): boolean {
    const { id, symbol, name } = sourced.profile;
    const others = waiting.map(item => item.sourced.profile);
    const twin = registry.twinOf(sourced.profile) ?? others.find(other => isTwin(other, sourced.profile)) ?? null;
    if (twin === null) return true;
    const detail = `${id}: ${symbol} (${name}) is ${twin.id} already; give the record that id, or another name`;
    this.#record.count(1, null);
    this.#record.reject({ where, reason: 'duplicate_asset', detail });
    return false;
  }

  async #pullBars(registry: AssetRegistry, items: AsyncIterable<SourceItem>): Promise<void> {
    try {
      for await (const item of items) {
        if (item.kind === 'bars') await this.#storeBars(registry, item.batch);
        else if (item.kind === 'facts') await this.#storeFacts(registry, item.stated);
        else await this.#takeOther(registry, item);
        if (this.#options.signal.aborted) break;
      }
    } finally {
      await this.#storing;
      await this.#storeListed(registry);
    }
    const note = this.#turnover.note();
    if (note !== null) this.#record.warn(note);
  }

  async #takeOther(registry: AssetRegistry, item: SourceItem): Promise<void> {
    if (item.kind === 'reject') this.#record.reject(item.reject);
    else if (item.kind === 'warning') this.#record.warn(item.text);
    else if (item.kind === 'asset') this.#listed.push(item.asset);
    else if (item.kind === 'delisted') {
      this.#checkLock();
      this.#record.assets++;
      await registry.delist(item.asset);
    } else if (item.kind === 'file') this.#record.readFile(item.file);
    else if (item.kind === 'progress') this.#record.position = { done: item.done, total: item.total, unit: item.unit };
    await this.#record.saveRejects(100);
    if (this.#listed.length >= ASSETS_AT_ONCE) await this.#storeListed(registry);
    this.#record.report();
  }

  async #storeListed(registry: AssetRegistry): Promise<void> {
    const assets = this.#listed;
    this.#listed = [];
    if (assets.length === 0) return;
    this.#checkLock();
    this.#record.assets += assets.length;
    await registry.list(assets);
  }

  async #storeBars(registry: AssetRegistry, batch: BarBatch): Promise<void> {
    if (this.#buffers.assetNumbers.length < batch.count) {
      this.#buffers = { refused: new Uint8Array(batch.count), assetNumbers: new Uint32Array(batch.count) };
    }
    const { refused } = this.#buffers;
    this.#checkLock();
    await this.#storeListed(registry);
    const { interval } = batch;
    const latest = latestPeriod(interval, this.#options);
    const inconsistent = this.#inconsistent!; // set before the first bars, as the routes
    const contradicts = (found: SourceContradiction) => inconsistent.take(interval, found);
    validateBars(batch, latest, refused, reject => this.#record.reject(reject), contradicts);
    batch.contradictions?.forEach(contradicts);
    this.#turnover.add(batch, refused);
    const bars = await this.#numbered(registry, batch, refused);
    await this.#storing;
    this.#checkLock();
    await this.#routes!.prepare(bars, this.#record.load);
    await inconsistent.record(registry, of => latestPeriod(of, this.#options));
    this.#storing = this.#put(bars, interval, batch.count, inconsistent.replacedBy(interval, bars));
    // The next batch or the end of the source reports a failure.
    this.#storing.catch(() => {});
  }

  async #storeFacts(registry: AssetRegistry, stated: StatedFacts): Promise<void> {
    this.#checkLock();
    await this.#storeListed(registry);
    const refuse = (reject: Reject) => this.#record.reject(reject);
    const rows = acceptedFacts(stated, ref => registry.find(ref), this.#options.today, refuse);
    this.#record.count(stated.rows.length, await this.#facts.put(rows));
    await this.#record.saveRejects();
    this.#record.report();
  }

  /** `mended`: the places of findings that other bars are put at. */
  async #put(bars: StoredBars, interval: BaseInterval, read: number, mended: readonly FindingPlace[]): Promise<void> {
    const changes = bars.count > 0 ? await this.#routes!.put(interval, bars, this.#record.load) : null; // as above
    if (mended.length > 0) await this.#options.store.removeRecorded(mended);
    this.#record.count(read, changes);
    this.#record.countBars(interval, read);
    await this.#record.saveRejects();
    this.#record.report();
  }

  /** The accepted bars with the numbers of their assets. Moves them to the front of the batch's own buffers. */
  async #numbered(registry: AssetRegistry, batch: BarBatch, refused: Uint8Array): Promise<StoredBars> {
    const newest = new Map<number, number>();
    for (let i = 0; i < batch.count; i++) {
      if (refused[i] === 1) continue;
      const asset = batch.asset[i]!;
      if (batch.day[i]! > (newest.get(asset) ?? -1)) newest.set(asset, batch.day[i]!);
    }
    // Only assets with an acceptable bar: a line that was refused must not leave an empty asset behind.
    const traded = [...newest.keys()];
    const assetNumbers = await registry.numbersOf(traded.map(asset => batch.assets[asset]!));
    const numberOf = new Uint32Array(batch.assets.length);
    const dayOf = coarserPeriod(batch.interval, '1d');
    for (const [i, asset] of traded.entries()) numberOf[asset] = assetNumbers[i]!;
    await registry.relistTraded(Iterator.from(newest).map(([asset, at]) => [batch.assets[asset]!, dayOf(at)] as const));
    let count = 0;
    for (let i = 0; i < batch.count; i++) {
      if (refused[i] === 1) continue;
      this.#buffers.assetNumbers[count] = numberOf[batch.asset[i]!]!;
      if (count < i) {
        batch.day[count] = batch.day[i]!;
        batch.open[count] = batch.open[i]!;
        batch.high[count] = batch.high[i]!;
        batch.low[count] = batch.low[i]!;
        batch.close[count] = batch.close[i]!;
        batch.volume[count] = batch.volume[i]!;
      }
      count++;
    }
    const { day, open, high, low, close, volume } = batch;
    return { count, assetNumber: this.#buffers.assetNumbers, day, open, high, low, close, volume };
  }
}
