// Facts of past days as bytes. A block has the changes of one asset in 32 days, so that a day that repeats the one before takes nothing.
//
//   block  = rank supply record…        the rank and the supply before its first day
//   record = place load [rank] [supply] [market capitalisation]
//   place  = one byte: the day of the block in the lower 5 bits, above them one bit per fact that follows
//   load   = difference from the load of the record before, as a signed varint
//   rank   = varint: 0 for none, else the rank + 1
//   number = one byte, then those bytes of the XOR with the number before that are not zero: their count is what the byte leaves of 8,
//            which has the count of leading zero bytes in its upper half and of trailing ones in its lower half; 255 for none

import type { Day } from '../../domain/day.ts';
import type { FactRecord } from '../port/store.ts';

export const FACT_BLOCK_DAYS = 32;

export function factBlockOf(day: number): number {
  return Math.floor(day / FACT_BLOCK_DAYS);
}

/** What holds until something else becomes known. */
export interface LastingFacts {
  readonly rank: number | null;
  readonly supply: number | null;
}

export const NO_FACTS: LastingFacts = { rank: null, supply: null };

export interface FactBlock {
  readonly block: number;
  readonly data: Uint8Array;
}

const RANK = 1 << 5;
const SUPPLY = 1 << 6;
const MARKET_CAP = 1 << 7;
const NONE = 255;

/** Of consecutive blocks of one asset, the oldest first; with the state before them. */
export function decodeFacts(blocks: readonly FactBlock[]): { before: LastingFacts; records: FactRecord[] } {
  const records: FactRecord[] = [];
  let before: LastingFacts | null = null;
  for (const { block, data } of blocks) {
    const reader = new FactReader(data);
    before ??= reader.before;
    for (const record of reader.records(block)) records.push(record);
  }
  return { before: before ?? NO_FACTS, records };
}

/** `records`: oldest first, one per day. */
export function encodeFacts(before: LastingFacts, records: readonly FactRecord[]): FactBlock[] {
  const blocks: FactBlock[] = [];
  let state = before;
  for (let from = 0; from < records.length; ) {
    const block = factBlockOf(records[from]!.day);
    const writer = new FactWriter(state);
    for (; from < records.length && factBlockOf(records[from]!.day) === block; from++) {
      writer.write(records[from]!);
      state = after(state, records[from]!);
    }
    blocks.push({ block, data: writer.bytes() });
  }
  return blocks;
}

export function after(state: LastingFacts, { rank = state.rank, supply = state.supply }: FactRecord): LastingFacts {
  return { rank, supply };
}

/** The facts of one day, of the newest block that does not begin after it. */
export function factsOnDay(
  { block, data }: FactBlock,
  day: number,
): LastingFacts & { readonly marketCap: number | null } {
  const reader = new FactReader(data);
  let [state, marketCap]: [LastingFacts, number | null] = [reader.before, null];
  for (const record of reader.records(block)) {
    if (record.day > day) break;
    state = after(state, record);
    if (record.day === day) marketCap = record.marketCap ?? null;
  }
  return { ...state, marketCap };
}

const scratch = new DataView(new ArrayBuffer(8));

class FactWriter {
  #bytes = new Uint8Array(64);
  #length = 0;
  #load = 0;
  readonly #numbers = { supply: 0n, marketCap: 0n };

  constructor({ rank, supply }: LastingFacts) {
    this.#rank(rank);
    this.#number('supply', supply);
  }

  write({ day, load, rank, supply, marketCap }: FactRecord): void {
    const given = (rank === undefined ? 0 : RANK) | (supply === undefined ? 0 : SUPPLY);
    this.#byte((day % FACT_BLOCK_DAYS) | given | (marketCap === undefined ? 0 : MARKET_CAP));
    const change = load - this.#load;
    this.#varint(change < 0 ? -2 * change - 1 : 2 * change);
    this.#load = load;
    if (rank !== undefined) this.#rank(rank);
    if (supply !== undefined) this.#number('supply', supply);
    if (marketCap !== undefined) this.#number('marketCap', marketCap);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #rank(rank: number | null): void {
    this.#varint(rank === null ? 0 : rank + 1);
  }

  #number(name: 'supply' | 'marketCap', value: number | null): void {
    if (value === null) {
      this.#byte(NONE);
      return;
    }
    scratch.setFloat64(0, value);
    const bits = scratch.getBigUint64(0);
    scratch.setBigUint64(0, bits ^ this.#numbers[name]);
    this.#numbers[name] = bits;
    let [leading, trailing] = [0, 0];
    while (leading < 8 && scratch.getUint8(leading) === 0) leading++;
    while (leading + trailing < 8 && scratch.getUint8(7 - trailing) === 0) trailing++;
    this.#byte((leading << 4) | trailing);
    for (let i = leading; i < 8 - trailing; i++) this.#byte(scratch.getUint8(i));
  }

  #varint(value: number): void {
    for (; value >= 128; value = Math.floor(value / 128)) this.#byte(128 + (value % 128));
    this.#byte(value);
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = value;
  }
}

class FactReader {
  readonly before: LastingFacts;
  readonly #bytes: Uint8Array;
  #at = 0;
  readonly #numbers = { supply: 0n, marketCap: 0n };

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.before = { rank: this.#rank(), supply: this.#number('supply') };
  }

  *records(block: number): Generator<FactRecord> {
    for (let load = 0; this.#at < this.#bytes.length; ) {
      const place = this.#byte();
      const change = this.#varint();
      load += change % 2 === 1 ? -(change + 1) / 2 : change / 2;
      yield {
        day: (block * FACT_BLOCK_DAYS + (place % FACT_BLOCK_DAYS)) as Day, // only days from the domain are ever stored
        load,
        ...(place & RANK ? { rank: this.#rank() } : {}),
        ...(place & SUPPLY ? { supply: this.#number('supply') } : {}),
        ...(place & MARKET_CAP ? { marketCap: this.#number('marketCap')! } : {}), // it is never written without a value
      };
    }
  }

  #rank(): number | null {
    const value = this.#varint();
    return value === 0 ? null : value - 1;
  }

  #number(name: 'supply' | 'marketCap'): number | null {
    const zeros = this.#byte();
    if (zeros === NONE) return null;
    scratch.setBigUint64(0, 0n);
    for (let i = zeros >> 4; i < 8 - (zeros & 15); i++) scratch.setUint8(i, this.#byte());
    const bits = scratch.getBigUint64(0) ^ this.#numbers[name];
    this.#numbers[name] = bits;
    scratch.setBigUint64(0, bits);
    return scratch.getFloat64(0);
  }

  #varint(): number {
    for (let [value, unit] = [0, 1]; ; unit *= 128) {
      const byte = this.#byte();
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('a block of facts ends in the middle');
    return byte;
  }
}
