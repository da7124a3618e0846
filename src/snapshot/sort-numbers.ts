// Sorts row numbers by a numeric key: a stable radix sort, which takes a fraction of a second for a million rows.

import { rowNumbers } from './consecutive.ts';

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGIT_MASK = BUCKETS - 1;
/** Digits of a 32-bit word, least significant first. */
const SHIFTS = [0, 11, 22];
const SIGN = 0x8000_0000;
/** Below this many, clearing the buckets costs more than comparing. */
const FEW = 512;
/** Up to this many are sorted by insertion. */
const VERY_FEW = 16;

/** Positions sorted by their key, ascending, NaN last. Equal keys, such as 0 and -0, stay in their given order. */
export function sortedByNumber(keys: Float64Array): Uint32Array {
  const order = rowNumbers(keys.length).slice();
  const { low, high } = sortableBits(keys);
  const words = sortedWords(order, high);
  // Most numbers differ in the upper half of their bits; few rows are left to sort by the lower half.
  for (let from = 0, to = 0; from < order.length; from = to) {
    const word = words[from];
    do to++;
    while (to < order.length && words[to] === word);
    if (to - from > 1) sortByWord(order, from, to, low);
  }
  return order;
}

/** NaN last. */
export function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/**
 * The bits of each double as two unsigned words whose order is the order of the numbers: IEEE 754 sorts like a sign and a
 * magnitude, so negative ones are inverted and the sign of the others is set.
 */
function sortableBits(keys: Float64Array): { low: Uint32Array; high: Uint32Array } {
  // One large block is returned to the operating system when it is freed (see scripts/malloc.sh).
  const both = new Uint32Array(2 * keys.length);
  const [low, high] = [both.subarray(0, keys.length), both.subarray(keys.length)];
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (Number.isNaN(key)) {
      low[i] = high[i] = 0xffff_ffff;
      continue;
    }
    double[0] = key + 0; // -0 becomes 0
    const inverted = words[1]! >= SIGN;
    low[i] = inverted ? ~words[0]! : words[0]!;
    high[i] = inverted ? ~words[1]! : words[1]! | SIGN;
  }
  return { low, high };
}

/** Sorts all rows by their word, and returns the words in that order. */
function sortedWords(rows: Uint32Array, word: Uint32Array): Uint32Array {
  if (rows.length >= FEW) return radixSort(rows, word);
  sortByWord(rows, 0, rows.length, word);
  return rows.map(row => word[row]!);
}

/** Sorts `rows[from … to - 1]`, which ascend, by their word, in place; equal words stay in the order of the rows. */
function sortByWord(rows: Uint32Array, from: number, to: number, word: Uint32Array): void {
  if (to - from <= VERY_FEW) insertionSort(rows, from, to, word);
  else if (to - from < FEW) rows.subarray(from, to).sort((a, b) => word[a]! - word[b]! || a - b);
  else radixSort(rows.subarray(from, to), word);
}

function insertionSort(rows: Uint32Array, from: number, to: number, word: Uint32Array): void {
  for (let i = from + 1; i < to; i++) {
    const row = rows[i]!;
    let place = i;
    while (place > from && word[rows[place - 1]!]! > word[row]!) {
      rows[place] = rows[place - 1]!;
      place--;
    }
    rows[place] = row;
  }
}

/** Words move together with their rows, so that each pass reads memory in order. */
interface Moving {
  readonly rows: Uint32Array;
  readonly words: Uint32Array;
}

/** Returns the words in the order of the sorted rows. */
function radixSort(rows: Uint32Array, word: Uint32Array): Uint32Array {
  const { length } = rows;
  const scratch = new Uint32Array(3 * length);
  const words = scratch.subarray(0, length);
  for (let i = 0; i < length; i++) words[i] = word[rows[i]!]!;
  let from: Moving = { rows, words };
  let to: Moving = { rows: scratch.subarray(length, 2 * length), words: scratch.subarray(2 * length) };
  for (const shift of SHIFTS) if (distribute(from, to, shift)) [from, to] = [to, from];
  if (from.rows !== rows) rows.set(from.rows);
  return from.words;
}

/** The start of the rows of each digit in the current pass. */
const starts = new Uint32Array(BUCKETS);

/** One pass of the sort. Returns false, and does nothing, when all words have the same digit. */
function distribute(from: Moving, to: Moving, shift: number): boolean {
  const { rows, words } = from;
  const { rows: sortedRows, words: sortedWords } = to;
  starts.fill(0);
  for (let i = 0; i < words.length; i++) {
    const digit = (words[i]! >>> shift) & DIGIT_MASK;
    starts[digit] = starts[digit]! + 1;
  }
  let start = 0;
  for (let digit = 0; digit < BUCKETS; digit++) {
    const size = starts[digit]!;
    if (size === words.length) return false;
    starts[digit] = start;
    start += size;
  }
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const digit = (word >>> shift) & DIGIT_MASK;
    const place = starts[digit]!;
    starts[digit] = place + 1;
    sortedRows[place] = rows[i]!;
    sortedWords[place] = word;
  }
  return true;
}
