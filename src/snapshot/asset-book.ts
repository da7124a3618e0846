// The assets that snapshots are built from: a slot for each, and the orders in which listings show them.

import type { AssetKey } from '../domain/asset.ts';
import { tickerKey } from '../domain/asset-state.ts';
import type { AssetFacts } from '../store/store.ts';
import { identity } from './orders.ts';
import { packTexts, sortedByText } from './texts.ts';

export class AssetBook {
  readonly #slots = new Map<AssetKey, number>();
  /** By slot. A slot that is in neither order belongs to an asset that is gone. */
  readonly assets: AssetFacts[] = [];
  /** Slots by id and by symbol, ascending by code point. */
  byId = new Uint32Array();
  bySymbol = new Uint32Array();
  /** A number for each ticker, by slot; assets that share a ticker have the same. */
  ticker = new Uint32Array();
  tickers = 0;
  /** 0 or 1 by slot: what every asset is asked at every update lies close together. */
  delisted = new Uint8Array();
  provisional = new Uint8Array();

  slotOf(key: AssetKey): number | undefined {
    return this.#slots.get(key);
  }

  /** Takes over the assets as they are now, all of them or only some; false when nothing differs that a snapshot shows. */
  update(assets: readonly AssetFacts[], all: boolean): boolean {
    let differs = all && assets.length !== this.byId.length;
    const before = this.#slots.size;
    for (const asset of assets) {
      const slot = this.#slots.get(asset.key) ?? this.#newSlot(asset.key);
      const known = this.assets[slot];
      if (known !== undefined && showsAlike(known, asset)) continue;
      this.assets[slot] = asset;
      differs = true;
    }
    if (!differs) return false;
    const added = Array.from({ length: this.#slots.size - before }, (_, i) => before + i);
    this.#arrange(all ? Uint32Array.from(assets, asset => this.#slots.get(asset.key)!) : joined(this.byId, added));
    return true;
  }

  #newSlot(key: AssetKey): number {
    const slot = this.#slots.size;
    this.#slots.set(key, slot);
    return slot;
  }

  #arrange(slots: Uint32Array): void {
    const sorted = (text: 'id' | 'symbol') => {
      const texts = packTexts(Array.from(slots, slot => this.assets[slot]![text]));
      return sortedByText(texts, identity(slots.length)).map(i => slots[i]!);
    };
    this.byId = sorted('id');
    this.bySymbol = sorted('symbol');
    this.#numberTickers();
    this.delisted = Uint8Array.from(this.assets, asset => Number(asset.delisted));
    this.provisional = Uint8Array.from(this.assets, asset => Number(asset.provisional));
  }

  #numberTickers(): void {
    const numbers = new Map<string, number>();
    this.ticker = new Uint32Array(this.assets.length);
    for (const slot of this.byId) {
      const key = tickerKey(this.assets[slot]!.symbol);
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      this.ticker[slot] = number;
    }
    this.tickers = numbers.size;
  }
}

function joined(slots: Uint32Array, more: readonly number[]): Uint32Array {
  const all = new Uint32Array(slots.length + more.length);
  all.set(slots);
  all.set(more, slots.length);
  return all;
}

/** In what a snapshot shows of an asset or decides by; its days and closes come with the published rows instead. */
function showsAlike(a: AssetFacts, b: AssetFacts): boolean {
  return (
    a.rank === b.rank &&
    a.delisted === b.delisted &&
    a.provisional === b.provisional &&
    a.id === b.id &&
    a.symbol === b.symbol &&
    a.name === b.name &&
    a.type === b.type
  );
}
