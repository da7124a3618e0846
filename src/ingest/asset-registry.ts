// Which asset a source means, by slug or by ticker, and the assets that it brings.
//
// A ticker alone means the best-ranked asset that has it. Where there is none, the ticker becomes a provisional asset, which
// the first profile with that ticker takes over together with its prices, in whichever order the two arrive. Tickers of fiat currencies are
// apart from those of assets.

import { type Asset, type AssetDraft, type AssetNumber, assetId, slug } from '../domain/asset.ts';
import { outranks, tickerKey } from '../domain/asset-state.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { Profile, SourcedProfile } from '../domain/profile.ts';
import { FIAT } from '../domain/quote.ts';
import type { AssetStore, KnownAt, SeriesStore } from '../store/store.ts';
import type { AssetRef, ListedAsset, StoredSpan } from './source.ts';

/** An asset with fewer daily closes counts as without. */
export const FEW_BARS = 30;
/** Assets created in one step: a file with a hundred thousand of them must not hold as many drafts. */
const CREATED_AT_ONCE = 2000;

type RegistryStore = AssetStore & Pick<SeriesStore, 'series'>;

export class AssetRegistry {
  readonly #store: RegistryStore;
  /** Under which changed facts are recorded; undefined: they are not. */
  readonly #at: KnownAt | undefined;
  readonly #byId = new Map<string, Asset>();
  /** Nearly every ticker has one asset, and a list for each would take a third of the memory. */
  readonly #bySymbol = new Map<string, Asset | readonly Asset[]>();
  readonly #delistedByThisSource = new Set<AssetNumber>();
  readonly #withBars = new Set<AssetNumber>();

  private constructor(store: RegistryStore, assets: readonly Asset[], at: KnownAt | undefined) {
    this.#store = store;
    this.#at = at;
    for (const asset of assets) {
      this.#remember(asset);
      if (asset.bars > 0) this.#withBars.add(asset.assetNumber);
    }
  }

  static async load(store: RegistryStore, at?: KnownAt): Promise<AssetRegistry> {
    return new AssetRegistry(store, await store.assets(), at);
  }

  get assets(): readonly AssetNumber[] {
    return Array.from(this.#byId.values(), ({ assetNumber }) => assetNumber);
  }

  /** Whether it had bars when the registry was loaded. */
  hadBars(asset: AssetNumber): boolean {
    return this.#withBars.has(asset);
  }

  find(ref: AssetRef): Asset | null {
    if (ref.id !== null) return this.#byId.get(ref.id.toLowerCase()) ?? null;
    return best(this.#withSymbol(ref.symbol).filter(({ type }) => (type === FIAT) === (ref.type === FIAT)));
  }

  /**
   * The periods of an asset for which a source need not be asked again. An asset with only a few daily closes counts as without: pulling
   * them again costs nothing, and one price of today from elsewhere must not hide that the history is missing.
   */
  async storedSpan(ref: AssetRef, interval: BaseInterval): Promise<StoredSpan | null> {
    const asset = this.find(ref);
    if (asset === null || asset.firstDay === null || asset.lastDay === null) return null;
    if (interval === '1d') return asset.bars < FEW_BARS ? null : { first: asset.firstDay, last: asset.lastDay };
    const { starts, firstDay, lastDay } = await this.#store.series(interval).closes([asset.assetNumber], 0);
    return starts[1] === 0 ? null : { first: firstDay[0]!, last: lastDay[0]! };
  }

  /** The numbers of the assets in the order of the references; unknown ones are created. */
  async numbersOf(refs: readonly AssetRef[]): Promise<AssetNumber[]> {
    const created = new Map<string, AssetDraft>();
    for (const ref of refs) {
      if (this.find(ref) === null) {
        const draft = this.#draftOf(ref, created);
        created.set(draft.id, draft);
      }
      if (created.size < CREATED_AT_ONCE) continue;
      await this.#create([...created.values()]);
      created.clear();
    }
    await this.#create([...created.values()]);
    return refs.map(ref => this.#mustFind(ref).assetNumber);
  }

  /** The numbers of the assets that these profiles describe, created, taken over or brought up to date. */
  async numbersOfProfiles(sourced: readonly SourcedProfile[]): Promise<AssetNumber[]> {
    const profiles = sourced.map(({ profile }) => profile);
    await this.#describe(sourced.map(one => draftOfProfile(one, this.#byId.get(one.profile.id.toLowerCase()))));
    const assetNumbers = profiles.map(
      profile => this.#mustFind({ id: profile.id, symbol: profile.symbol }).assetNumber,
    );
    profiles.forEach((profile, i) => {
      if (profile.is_active === false) this.#delistedByThisSource.add(assetNumbers[i]!);
    });
    return assetNumbers;
  }

  /** The active asset of the same ticker and name under another id: a second one would make the ticker ambiguous. */
  twinOf(profile: Profile): Asset | null {
    if (this.#byId.has(profile.id.toLowerCase())) return null;
    const found = this.#withSymbol(profile.symbol).find(
      asset => !asset.provisional && asset.type !== FIAT && isTwin(asset, profile),
    );
    return found ?? null;
  }

  /** Brings what a provider's list says of assets. */
  async list(assets: readonly ListedAsset[]): Promise<void> {
    await this.#describe(
      assets.map(asset => {
        const id = asset.id.toLowerCase();
        const { tags = '', delisted = false } = this.#byId.get(id) ?? {};
        const supply = asset.supply ?? this.#byId.get(id)?.supply ?? null;
        return { ...asset, id, supply, tags, provisional: false, delisted };
      }),
    );
  }

  async #describe(drafts: readonly AssetDraft[]): Promise<void> {
    const changed: AssetDraft[] = [];
    // The best-ranked first: it is the one that a provisional asset with its ticker becomes.
    const last = Number.MAX_SAFE_INTEGER;
    for (const draft of [...drafts].sort((a, b) => (a.rank ?? last) - (b.rank ?? last))) {
      const known = this.#byId.get(draft.id);
      const provisional = known ? undefined : this.#provisional(draft.symbol);
      if (provisional) {
        await this.#store.renameAsset(provisional.assetNumber, draft, this.#at);
        this.#replace(provisional, { ...provisional, ...draft });
      } else if (!known || differs(known, draft)) {
        changed.push(draft);
      }
    }
    await this.#create(changed);
  }

  async delist(ref: AssetRef): Promise<void> {
    const asset = this.find(ref);
    if (asset === null) return;
    this.#delistedByThisSource.add(asset.assetNumber);
    if (!asset.delisted) await this.#setDelisted(asset, true);
  }

  /** Prices that go on after the last known day relist an asset, unless the source that brings them says otherwise. */
  async relistTraded(traded: Iterable<readonly [ref: AssetRef, newestDay: number]>): Promise<void> {
    for (const [ref, newestDay] of traded) {
      const asset = this.find(ref);
      if (asset?.delisted !== true || asset.lastDay === null || newestDay <= asset.lastDay) continue;
      if (!this.#delistedByThisSource.has(asset.assetNumber)) await this.#setDelisted(asset, false);
    }
  }

  async #setDelisted(asset: Asset, delisted: boolean): Promise<void> {
    await this.#store.setDelisted([asset.assetNumber], delisted);
    this.#replace(asset, { ...asset, delisted });
  }

  #mustFind(ref: AssetRef): Asset {
    const asset = this.find(ref);
    if (asset === null) throw new Error(`the asset ${ref.id ?? ref.symbol} was created but is not known`);
    return asset;
  }

  #provisional(symbol: string): Asset | undefined {
    return this.#withSymbol(symbol).find(asset => asset.provisional);
  }

  #draftOf(ref: AssetRef, taken: ReadonlyMap<string, AssetDraft>): AssetDraft {
    const ticker = tickerKey(ref.symbol);
    const isTaken = (id: string) => this.#byId.has(id) || tickerKey(taken.get(id)?.symbol ?? ref.symbol) !== ticker;
    const base =
      ref.id?.toLowerCase() ?? (slug(ref.symbol) === '' ? codePoints(ref.symbol) : assetId(ref.symbol, ref.symbol));
    let id = base;
    for (let n = 2; ref.id === null && isTaken(id); n++) id = `${base}-${n}`;
    return {
      id,
      symbol: ref.symbol,
      name: ref.symbol,
      rank: null,
      type: ref.type ?? null,
      supply: null,
      tags: '',
      // No profile takes over a fiat currency.
      provisional: ref.id === null && ref.type !== FIAT,
      delisted: false,
    };
  }

  async #create(drafts: readonly AssetDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const assetNumbers = await this.#store.putAssets(drafts, this.#at);
    drafts.forEach((draft, i) => {
      const known = this.#byId.get(draft.id);
      const fresh: Asset = { assetNumber: assetNumbers[i]!, firstDay: null, lastDay: null, bars: 0, ...draft };
      if (known) this.#replace(known, { ...known, ...draft });
      else this.#remember(fresh);
    });
  }

  #withSymbol(symbol: string): readonly Asset[] {
    const found = this.#bySymbol.get(tickerKey(symbol));
    if (found === undefined) return [];
    return 'id' in found ? [found] : found;
  }

  #remember(asset: Asset): void {
    this.#byId.set(asset.id, asset);
    const others = this.#withSymbol(asset.symbol);
    this.#bySymbol.set(tickerKey(asset.symbol), others.length === 0 ? asset : [...others, asset]);
  }

  #replace(old: Asset, now: Asset): void {
    this.#byId.delete(old.id);
    const others = this.#withSymbol(old.symbol).filter(asset => asset.assetNumber !== old.assetNumber);
    this.#bySymbol.set(tickerKey(old.symbol), others);
    this.#remember(now);
  }
}

type Named = Pick<Profile, 'id' | 'symbol' | 'name'> & {
  readonly delisted?: boolean;
  readonly is_active?: boolean | null;
};

/** Two ids for what looks like one active asset. */
export function isTwin(one: Named, other: Named): boolean {
  const isGone = (asset: Named) => asset.delisted === true || asset.is_active === false;
  if (one.id.toLowerCase() === other.id.toLowerCase() || isGone(one) || isGone(other)) return false;
  return tickerKey(one.symbol) === tickerKey(other.symbol) && one.name.toLowerCase() === other.name.toLowerCase();
}

function best(assets: readonly Asset[]): Asset | null {
  return assets.reduce<Asset | null>(
    (found, asset) => (found === null || outranks(asset, found) ? asset : found),
    null,
  );
}

/** A profile need not give the supply, which another source may have brought. */
function draftOfProfile({ profile, extra }: SourcedProfile, known: Asset | undefined): AssetDraft {
  const supply = extra['circulating_supply'];
  return {
    id: profile.id.toLowerCase(),
    symbol: profile.symbol,
    name: profile.name,
    rank: profile.rank,
    type: profile.type,
    supply: isSupply(supply) ? supply : (known?.supply ?? null),
    tags: profile.tags.map(tag => tag.id).join(),
    provisional: false,
    delisted: profile.is_active === false,
  };
}

function differs(known: Asset, draft: AssetDraft): boolean {
  return (Object.keys(draft) as (keyof AssetDraft)[]).some(field => known[field] !== draft[field]);
}

/** Sources write 0 for what they do not know. */
export function isSupply(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** For a ticker without a letter or digit, such as `$$`. */
function codePoints(symbol: string): string {
  return `u-${[...symbol].map(letter => letter.codePointAt(0)?.toString(16)).join('-')}`;
}
