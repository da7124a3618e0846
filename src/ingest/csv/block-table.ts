// A hash table of blocks of 32 days, by asset and block: two bits for each day.

const FREE = -1;

export class BlockTable {
  /** Open addressing: a block in each slot, at most half of the slots used; their number is a power of two. */
  #asset = new Int32Array(256).fill(FREE);
  #block = new Int32Array(256);
  #finished = new Int32Array(256);
  #unusual = new Int32Array(256);
  #used = 0;

  /** 0 for a block that is not there. */
  finished(asset: number, block: number): number {
    return this.#finished[this.#find(asset, block)]!;
  }

  unusual(asset: number, block: number): number {
    return this.#unusual[this.#find(asset, block)]!;
  }

  put(asset: number, block: number, finished: number, unusual: number): void {
    if (this.#used * 2 >= this.#asset.length) this.#grow();
    const slot = this.#find(asset, block);
    if (this.#asset[slot] === FREE) this.#used++;
    this.#asset[slot] = asset;
    this.#block[slot] = block;
    this.#finished[slot] = finished;
    this.#unusual[slot] = unusual;
  }

  /** The slot of the block, or the free one where it belongs. */
  #find(asset: number, block: number): number {
    const mask = this.#asset.length - 1;
    let slot = hash(asset, block) & mask;
    while (this.#asset[slot] !== FREE && (this.#asset[slot] !== asset || this.#block[slot] !== block)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [assets, blocks, finished, unusual] = [this.#asset, this.#block, this.#finished, this.#unusual];
    const length = assets.length * 2;
    this.#asset = new Int32Array(length).fill(FREE);
    this.#block = new Int32Array(length);
    this.#finished = new Int32Array(length);
    this.#unusual = new Int32Array(length);
    this.#used = 0;
    for (const [slot, asset] of assets.entries()) {
      if (asset !== FREE) this.put(asset, blocks[slot]!, finished[slot]!, unusual[slot]!);
    }
  }
}

/** Every bit of both numbers counts in the low bits, which alone pick the slot. */
function hash(asset: number, block: number): number {
  let value = Math.imul(asset, 0x9e3779b1) ^ Math.imul(block, 0x85ebca77);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 13);
}
