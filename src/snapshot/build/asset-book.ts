// The assets that snapshots are built from: one slot per asset, the facts that a snapshot shows, and the order of slots by id and by
// symbol. Flat arrays indexed by slot: one object per asset would take several times the memory.

import { partitionPoint } from '../../common/partition-point.ts';
import type { AssetNumber } from '../../domain/asset.ts';
import { FIAT } from '../../domain/quote.ts';
import type { AssetFacts } from '../../store/store.ts';
import {
  type FactColumns,
  gatherFacts,
  joinFacts,
  packFacts,
  TEXT_FACTS,
  type TextFact,
} from '../columns/fact-columns.ts';
import { rowNumbers } from '../columns/shared-memory.ts';
import { sortedByNumber } from '../columns/sort-numbers.ts';
import { textAt, textIs } from '../columns/texts.ts';
import type { TextData } from '../table.ts';
import { WorkList } from './work-list.ts';

export class AssetBook {
  #facts = packFacts([]);
  /** One number per ticker; assets that share a ticker have the same number. */
  ticker: Uint32Array = new Uint32Array();
  tickers = 0;
  /** Slots by id and by symbol, ascending by code point, without fiat currencies and without assets that were removed. */
  byId: Uint32Array = new Uint32Array();
  bySymbol: Uint32Array = new Uint32Array();
  /** Slots of fiat currencies, which are not listed. */
  fiats: Uint32Array = new Uint32Array();
  #byNumber: Uint32Array = new Uint32Array();

  get slots(): number {
    return this.#facts.assetNumbers.length;
  }

  get assetNumbers(): Uint32Array {
    return this.#facts.assetNumbers;
  }

  /** NaN for none. */
  get rank(): Float64Array {
    return this.#facts.rank;
  }

  get supply(): Float64Array {
    return this.#facts.supply;
  }

  /** 0 or 1. */
  get delisted(): Uint8Array {
    return this.#facts.delisted;
  }

  get provisional(): Uint8Array {
    return this.#facts.provisional;
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
    return this.#facts.texts[fact];
  }

  /** What decides between assets with the same ticker. */
  standing(slot: number): Pick<AssetFacts, 'rank' | 'id'> {
    const rank = this.rank[slot]!;
    return { rank: Number.isNaN(rank) ? null : rank, id: textAt(this.#facts.texts.id, slot) ?? '' };
  }

  /** The first assets of all. A helper may sort them beside other work of the caller, who then calls the function that is returned. */
  fill(facts: FactColumns): () => void {
    this.#keep(facts);
    return this.#beginSorting(rowNumbers(this.slots));
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
    const differs = changed.length + added.length > 0 || (all && assets.length !== this.#present);
    if (!differs) return false;
    const first = this.slots;
    this.#take(changed, added);
    const present = all
      ? given
      : joined(
          joined(this.byId, this.fiats),
          given.filter(slot => slot >= first),
        );
    this.#beginSorting(present)();
    return true;
  }

  get #present(): number {
    return this.byId.length + this.fiats.length;
  }

  #beginSorting(all: Uint32Array): () => void {
    const { id, symbol, type } = this.#facts.texts;
    this.fiats = all.filter(slot => textIs(type, slot, FIAT));
    const present = this.fiats.length === 0 ? all : all.filter(slot => !textIs(type, slot, FIAT));
    const works = new WorkList(present.length);
    const byId = works.add('sorted', { texts: id, rows: present });
    const bySymbol = works.add('sorted', { texts: symbol, rows: present });
    const numbered = works.add('tickers', { texts: symbol, rows: present });
    works.begin();
    return () => {
      works.do();
      [this.byId, this.bySymbol] = [byId(), bySymbol()];
      ({ numbers: this.ticker, tickers: this.tickers } = numbered());
    };
  }

  /** Compares the facts that a snapshot shows or that decide what it shows. Days and closes come with the published rows. */
  #showsAlike(slot: number, asset: AssetFacts): boolean {
    return (
      Object.is(this.rank[slot], asset.rank ?? Number.NaN) &&
      Object.is(this.supply[slot], asset.supply ?? Number.NaN) &&
      this.delisted[slot] === Number(asset.delisted) &&
      this.provisional[slot] === Number(asset.provisional) &&
      TEXT_FACTS.every(fact => textAt(this.#facts.texts[fact], slot) === asset[fact])
    );
  }

  /** Added assets get the slots after the last one. */
  #take(changed: readonly AssetFacts[], added: readonly AssetFacts[]): void {
    const slots = this.slots + added.length;
    const facts = joinFacts([this.#facts, packFacts([...added, ...changed])]);
    /** For each slot, the position of its facts among the old ones followed by the new ones. */
    const places = rowNumbers(slots).slice();
    for (const [i, { assetNumber }] of changed.entries()) places[this.slotOf(assetNumber)!] = slots + i;
    this.#keep(changed.length > 0 ? gatherFacts(facts, places) : facts);
  }

  #keep(facts: FactColumns): void {
    const { assetNumbers } = facts;
    this.#facts = facts;
    const ascend = assetNumbers.every((assetNumber, i) => i === 0 || assetNumber > assetNumbers[i - 1]!);
    this.#byNumber = ascend ? rowNumbers(this.slots) : sortedByNumber(new Float64Array(assetNumbers));
  }
}

function joined(numbers: Uint32Array, more: Uint32Array): Uint32Array {
  const all = new Uint32Array(numbers.length + more.length);
  all.set(numbers);
  all.set(more, numbers.length);
  return all;
}
