// The assets that snapshots are built from: a slot for each, and the orders in which listings show them.

import type { Asset, AssetKey } from '../domain/asset.ts';
import { tickerKey } from '../domain/asset-state.ts';
import { identity } from './orders.ts';
import { packTexts, sortedByText } from './texts.ts';

export class AssetBook {
  readonly #slots = new Map<AssetKey, number>();
  /** By slot. A slot that is in neither order belongs to an asset that is gone. */
  readonly assets: Asset[] = [];
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

  /** Takes over the assets as they are now; false when nothing differs that a snapshot shows. */
  update(assets: readonly Asset[]): boolean {
    let differs = assets.length !== this.byId.length;
    for (const asset of assets) {
      const slot = this.#slots.get(asset.key) ?? this.#newSlot(asset.key);
      const known = this.assets[slot];
      if (known !== undefined && showsAlike(known, asset)) continue;
      this.assets[slot] = asset;
      differs = true;
    }
    if (differs) this.#arrange(assets);
    return differs;
  }

  #newSlot(key: AssetKey): number {
    const slot = this.#slots.size;
    this.#slots.set(key, slot);
    return slot;
  }

  #arrange(assets: readonly Asset[]): void {
    const slots = Uint32Array.from(assets.map(asset => this.#slots.get(asset.key)!));
    const sorted = (texts: string[]) => sortedByText(packTexts(texts), identity(texts.length)).map(i => slots[i]!);
    this.byId = sorted(assets.map(asset => asset.id));
    this.bySymbol = sorted(assets.map(asset => asset.symbol));
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

/** In what a snapshot shows of an asset or decides by; its days and closes come with the published rows instead. */
function showsAlike(a: Asset, b: Asset): boolean {
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
