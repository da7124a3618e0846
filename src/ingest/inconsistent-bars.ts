// The findings of the rule `inconsistent` that a load makes: a store keeps a bar without the high or low that contradicts its other prices,
// so no later check can find it. They are recorded before the bars are stored, and removed after other bars took their place: whenever a load
// is killed, none is lost.

import type { AssetNumber } from '../domain/asset.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { FindingPlace, ReviewStore, StoredBars, StoredFinding } from '../store/store.ts';
import type { AssetRegistry } from './asset-registry.ts';
import type { SourceContradiction } from './source.ts';

type RecordingStore = Pick<ReviewStore, 'checks' | 'recordedFindings' | 'recordFindings' | 'removeRecorded'>;

const RULE = 'inconsistent';

/** Whether the bar of a finding is still to come, is in the batch at hand, or came before: then the next one at its place replaces it. */
const [EXPECTED, PRESENT, STORED] = [0, 1, 2];

export class InconsistentBars {
  readonly #store: RecordingStore;
  readonly #source: string;
  readonly #checked: ReadonlySet<BaseInterval>;
  /** By interval, asset and period. */
  readonly #recorded = new Map<BaseInterval, Map<AssetNumber, Map<number, number>>>();
  /** Of assets that may not be known yet. */
  #waiting: { readonly interval: BaseInterval; readonly found: SourceContradiction }[] = [];
  /** How many were not there before. */
  added = 0;

  private constructor(store: RecordingStore, source: string, checked: ReadonlySet<BaseInterval>) {
    this.#store = store;
    this.#source = source;
    this.#checked = checked;
  }

  /** Those of one source. What it knows stays true as long as its user is the only one who writes. */
  static async of(store: RecordingStore, source: string): Promise<InconsistentBars> {
    const checks = await store.checks();
    const own = new InconsistentBars(store, source, new Set(['1d', ...checks.map(({ interval }) => interval)]));
    for (const place of await store.recordedFindings()) {
      if (place.rule === RULE && place.source === source) own.#set(place, STORED);
    }
    return own;
  }

  /** A finding about a bar that is stored next, or with a later batch. */
  take(interval: BaseInterval, found: SourceContradiction): void {
    if (this.#checked.has(interval)) this.#waiting.push({ interval, found });
  }

  /** Before the bars are stored. `latest` is the newest period that a bar may be of. */
  async record(registry: AssetRegistry, latest: (interval: BaseInterval) => number): Promise<void> {
    if (this.#waiting.length === 0) return;
    const known: StoredFinding[] = [];
    this.#waiting = this.#waiting.filter(({ interval, found }) => {
      const { asset: ref, period, value, expected, detail } = found;
      const asset = registry.find(ref);
      if (asset === null) return true;
      if (period < 0 || period > latest(interval)) return false;
      const { assetNumber } = asset;
      known.push({ assetNumber, interval, period, rule: RULE, source: this.#source, value, expected, detail });
      return false;
    });
    this.added += (await this.#store.recordFindings(known)).length;
    for (const place of known) this.#set(place, EXPECTED);
  }

  /** The findings about bars that these ones replace. */
  replacedBy(interval: BaseInterval, { count, assetNumber, day }: StoredBars): FindingPlace[] {
    const ofInterval = this.#recorded.get(interval);
    if (ofInterval === undefined) return [];
    const replaced: FindingPlace[] = [];
    const present: (readonly [own: Map<number, number>, period: number])[] = [];
    for (let i = 0; i < count; i++) {
      const [asset, period] = [assetNumber[i]!, day[i]!];
      const own = ofInterval.get(asset);
      const state = own?.get(period);
      if (own === undefined || state === undefined) continue;
      if (state === EXPECTED) present.push([own.set(period, PRESENT), period]);
      else if (state === STORED) {
        own.delete(period);
        replaced.push({ assetNumber: asset, interval, period, rule: RULE, source: this.#source });
      }
    }
    for (const [own, period] of present) own.set(period, STORED);
    return replaced;
  }

  #set({ assetNumber, interval, period }: FindingPlace, state: number): void {
    const ofInterval = this.#recorded.get(interval) ?? new Map<AssetNumber, Map<number, number>>();
    this.#recorded.set(interval, ofInterval);
    const own = ofInterval.get(assetNumber) ?? new Map<number, number>();
    ofInterval.set(assetNumber, own.set(period, state));
  }
}
