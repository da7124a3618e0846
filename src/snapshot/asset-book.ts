// The assets that snapshots are built from: one slot per asset, the facts that a snapshot shows, and the order of slots by id and by
// symbol. Flat arrays indexed by slot: one object per asset would take several times the memory.

import { partitionPoint } from '../common/partition-point.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { AssetFacts } from '../store/store.ts';
import { rowNumbers } from './consecutive.ts';
import { sortedByNumber } from './sort-numbers.ts';
import type { TextData } from './table.ts';
import { gatherTexts, joinTexts, packTexts, textAt } from './texts.ts';
import { WorkList } from './work-list.ts';

const TEXT_FACTS = ['id', 'symbol', 'name', 'type', 'tags'] as const;
export type TextFact = (typeof TEXT_FACTS)[number];

export class AssetBook {
  assetNumbers = new Uint32Array();
  readonly #texts: Record<TextFact, TextData> = {
    id: packTexts([]),
    symbol: packTexts([]),
    name: packTexts([]),
    type: packTexts([]),
    tags: packTexts([]),
  };
  /** NaN for none. */
  rank = new Float64Array();
  supply = new Float64Array();
  /** 0 or 1. */
  delisted = new Uint8Array();
  provisional = new Uint8Array();
  /** One number per ticker; assets that share a ticker have the same number. */
  ticker: Uint32Array = new Uint32Array();
  tickers = 0;
  /** Slots by id and by symbol, ascending by code point. A slot in neither belongs to an asset that was removed. */
  byId: Uint32Array = new Uint32Array();
  bySymbol: Uint32Array = new Uint32Array();
  #byNumber: Uint32Array = new Uint32Array();

  get slots(): number {
    return this.assetNumbers.length;
  }

  slotOf(assetNumber: AssetNumber): number | undefined {
    const { assetNumbers } = this;
    // Stores number assets from 1, so that a first reading finds them in this order.
    if (assetNumbers[assetNumber - 1] === assetNumber) return assetNumber - 1;
    const byNumber = this.#byNumber;
    const slot = byNumber[partitionPoint(0, byNumber.length, place => assetNumbers[byNumber[place]!]! < assetNumber)];
    return slot !== undefined && assetNumbers[slot] === assetNumber ? slot : undefined;
  }

  text(fact: TextFact): TextData {
    return this.#texts[fact];
  }

  /** What decides between assets with the same ticker. */
  standing(slot: number): Pick<AssetFacts, 'rank' | 'id'> {
    const rank = this.rank[slot]!;
    return { rank: Number.isNaN(rank) ? null : rank, id: textAt(this.#texts.id, slot) ?? '' };
  }

  /** Replaces all assets, or only the given ones. Returns false when nothing differs that a snapshot shows. */
  update(assets: readonly AssetFacts[], all: boolean): boolean {
    const changed: AssetFacts[] = [];
    const added: AssetFacts[] = [];
    const given = new Uint32Array(assets.length);
    for (const [i, asset] of assets.entries()) {
      const slot = this.slotOf(asset.assetNumber);
      given[i] = slot ?? this.slots + added.length;
      if (slot === undefined) added.push(asset);
      else if (!this.#showsAlike(slot, asset)) changed.push(asset);
    }
    const differs = changed.length + added.length > 0 || (all && assets.length !== this.byId.length);
    if (!differs) return false;
    const first = this.slots;
    this.#take(changed, added);
    const present = all
      ? given
      : joined(
          this.byId,
          given.filter(slot => slot >= first),
        );
    const works = new WorkList(present.length);
    const byId = works.add('sorted', { texts: this.#texts.id, rows: present });
    const bySymbol = works.add('sorted', { texts: this.#texts.symbol, rows: present });
    const numbered = works.add('tickers', { texts: this.#texts.symbol, rows: present });
    works.do();
    [this.byId, this.bySymbol] = [byId(), bySymbol()];
    ({ numbers: this.ticker, tickers: this.tickers } = numbered());
    return true;
  }

  /** Compares the facts that a snapshot shows or that decide what it shows. Days and closes come with the published rows. */
  #showsAlike(slot: number, asset: AssetFacts): boolean {
    return (
      Object.is(this.rank[slot], asset.rank ?? Number.NaN) &&
      Object.is(this.supply[slot], asset.supply ?? Number.NaN) &&
      this.delisted[slot] === Number(asset.delisted) &&
      this.provisional[slot] === Number(asset.provisional) &&
      TEXT_FACTS.every(fact => textAt(this.#texts[fact], slot) === asset[fact])
    );
  }

  /** Added assets get the slots after the last one. */
  #take(changed: readonly AssetFacts[], added: readonly AssetFacts[]): void {
    const slots = this.slots + added.length;
    const fresh = [...added, ...changed];
    this.assetNumbers = joined(
      this.assetNumbers,
      added.map(({ assetNumber }) => assetNumber),
    );
    this.#byNumber = sortedByNumber(new Float64Array(this.assetNumbers));
    /** For each slot, the position of its text among the old texts followed by the new ones. */
    const places = rowNumbers(slots).slice();
    for (const [i, { assetNumber }] of changed.entries()) places[this.slotOf(assetNumber)!] = slots + i;
    for (const fact of TEXT_FACTS) {
      const texts = joinTexts(this.#texts[fact], packTexts(fresh.map(asset => asset[fact])));
      this.#texts[fact] = changed.length > 0 ? gatherTexts(texts, places) : texts;
    }
    this.rank = resized(this.rank, new Float64Array(slots));
    this.supply = resized(this.supply, new Float64Array(slots));
    this.delisted = resized(this.delisted, new Uint8Array(slots));
    this.provisional = resized(this.provisional, new Uint8Array(slots));
    for (const [i, { assetNumber, rank, supply, delisted, provisional }] of fresh.entries()) {
      const slot = i < added.length ? slots - added.length + i : this.slotOf(assetNumber)!;
      this.rank[slot] = rank ?? Number.NaN;
      this.supply[slot] = supply ?? Number.NaN;
      this.delisted[slot] = Number(delisted);
      this.provisional[slot] = Number(provisional);
    }
  }
}

function joined(numbers: Uint32Array, more: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const all = resized(numbers, new Uint32Array(numbers.length + more.length));
  all.set(more, numbers.length);
  return all;
}

function resized<A extends Uint32Array | Uint8Array | Float64Array>(old: ArrayLike<number>, larger: A): A {
  larger.set(old);
  return larger;
}
