// A block of all numbers of some bars, those of one asset and 32 periods for example, packed into bytes: the doubles of each known field,
// then the origins of the bars.

import type { Origin } from '../port/origins.ts';
import { BLOCK_DAYS, CLOSE, FIELDS } from './blocks.ts';

/** By place in FIELDS; null if no bar has the number. */
export type BlockNumbers = (Float64Array<ArrayBuffer> | null)[];

export interface Block {
  readonly numbers: BlockNumbers;
  /** The origins of the closes; null if none is known. */
  loads: Int32Array<ArrayBuffer> | null;
  isChanged: boolean;
}

export interface PackedBlock {
  /** One bit per field that is there. */
  readonly fields: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

export function emptyBlock(): Block {
  return { numbers: FIELDS.map(() => null), loads: null, isChanged: true };
}

/** Without fields that no bar has; null without a bar. `spare` more bytes follow. */
export function packBlock({ numbers, loads }: Block, spare = 0): PackedBlock | null {
  let fields = 0;
  for (let field = 0; field < FIELDS.length; field++) if (hasNumber(numbers[field])) fields |= 1 << field;
  if ((fields & (1 << CLOSE)) === 0) return null;
  const cells = numbers[CLOSE]!.length;
  const known = numbers.filter((_, field) => (fields & (1 << field)) !== 0) as Float64Array<ArrayBuffer>[]; // those with a bit
  const origins = storedLoads(loads, numbers[CLOSE]!);
  const data = new Uint8Array(8 * known.length * cells + origins.byteLength + spare);
  for (const [i, own] of known.entries()) new Float64Array(data.buffer, 8 * i * cells, cells).set(own);
  new Int32Array(data.buffer, 8 * known.length * cells, origins.length).set(origins);
  return { fields, data };
}

function hasNumber(numbers: Float64Array | null | undefined): boolean {
  if (!numbers) return false;
  for (let i = 0; i < numbers.length; i++) if (!Number.isNaN(numbers[i])) return true;
  return false;
}

/** None if none is known, one if all bars have the same, and else one per bar. */
function storedLoads(loads: Int32Array | null, closes: Float64Array): Int32Array {
  if (loads === null) return new Int32Array(0);
  let one: Origin | null = null;
  for (let i = 0; i < closes.length; i++) {
    if (Number.isNaN(closes[i])) continue;
    if (one !== null && one !== loads[i]) return loads;
    one = loads[i]!;
  }
  return one === null || one === 0 ? new Int32Array(0) : Int32Array.of(one);
}

/** A block as it was packed, in the same memory. Most readers want the closes alone. */
export class UnpackedBlock implements Block {
  readonly numbers: BlockNumbers = [];
  isChanged = false;
  readonly #stored: Int32Array<ArrayBuffer>;
  readonly #cells: number;
  #loads: Int32Array<ArrayBuffer> | null | undefined;

  /** `cells`: bars that there is room for. */
  constructor({ fields, data: { buffer, byteOffset, byteLength } }: PackedBlock, cells: number = BLOCK_DAYS) {
    this.#cells = cells;
    let at = byteOffset;
    for (let field = 0; field < FIELDS.length; field++) {
      const isKnown = (fields & (1 << field)) !== 0;
      this.numbers.push(isKnown ? new Float64Array(buffer, at, cells) : null);
      if (isKnown) at += 8 * cells;
    }
    this.#stored = new Int32Array(buffer, at, (byteOffset + byteLength - at) / 4);
  }

  get loads(): Int32Array<ArrayBuffer> | null {
    if (this.#loads === undefined) {
      const stored = this.#stored;
      this.#loads =
        stored.length === 1 ? new Int32Array(this.#cells).fill(stored[0]!) : stored.length > 0 ? stored : null;
    }
    return this.#loads;
  }

  set loads(loads: Int32Array<ArrayBuffer> | null) {
    this.#loads = loads;
  }
}
