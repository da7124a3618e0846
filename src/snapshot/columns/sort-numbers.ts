// Sorts row numbers by a numeric key: a stable radix sort, which takes some hundredths of a second for a million rows.

import { rowNumbers } from './shared-memory.ts';
import { WorkMemory } from './work-memory.ts';

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGIT_MASK = BUCKETS - 1;
/** Digits of a 32-bit word, least significant first. */
const SHIFTS = [0, 11, 22] as const;
const SIGN = 0x8000_0000;
/** The upper word of an infinity without its sign. That of a NaN is not lower. */
const INFINITE = 0x7ff0_0000;
/** The word of every NaN: above that of any number. */
const LAST_WORD = 0xffff_ffff;
/** Below this many, clearing the buckets costs more than comparing. */
const FEW = 128;
/** Up to this many are sorted by insertion. */
const VERY_FEW = 16;

/** Positions sorted by their key, ascending, NaN last. Equal keys, such as 0 and -0, stay in their given order. */
export function sortedByNumber(keys: Float64Array): Uint32Array {
  const order = new Uint32Array(keys.length);
  sortByNumber(keys, order);
  return order;
}

/** The same, written into `order` in one step, when it is known. */
export function sortByNumber(keys: Float64Array, order: Uint32Array, memory = new WorkMemory()): void {
  const { given, spare } = partsOf(memory, keys.length);
  if (keys.length < FEW) sortByKey(keys, given.rows, 0, keys.length);
  else {
    sortableWords(keys, given.words);
    const sorted = radixSort(given, spare);
    sortTies(keys, sorted, { rows: spare.rows, words: sorted.words === given.words ? spare.words : given.words });
  }
  order.set(given.rows);
}

/**
 * The same for keys that are whole numbers of at least 0. Those that begin texts differ little in the upper half of their bits as a
 * double, so these are sorted by both halves of the number.
 */
export function sortedByInteger(keys: Float64Array, memory = new WorkMemory()): Uint32Array {
  const { given, spare } = partsOf(memory, keys.length);
  const { rows, words } = given;
  if (keys.length < FEW) sortByKey(keys, rows, 0, keys.length);
  else {
    for (let i = 0; i < words.length; i++) words[i] = keys[i]!; // modulo 2^32
    radixSort(given, spare);
    for (let i = 0; i < words.length; i++) words[i] = upperWord(keys[rows[i]!]!);
    radixSort(given, spare);
  }
  return rows.slice();
}

function upperWord(key: number): number {
  return Number.isNaN(key) ? LAST_WORD : key / 2 ** 32;
}

/** The rows in their own order and room for their words, and as much to move them to. */
function partsOf(memory: WorkMemory, length: number): { given: Moving; spare: Moving } {
  const all = memory.words(4 * length);
  const part = (i: number) => all.subarray(i * length, (i + 1) * length);
  const given = { rows: part(0), words: part(1) };
  given.rows.set(rowNumbers(length));
  return { given, spare: { rows: part(2), words: part(3) } };
}

/** NaN last. */
export function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/**
 * The upper half of each double as an unsigned word whose order is the order of the numbers: IEEE 754 sorts like a sign and a
 * magnitude, so negative ones are inverted and the sign of the others is set.
 */
function sortableWords(keys: Float64Array, words: Uint32Array): void {
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
  for (let i = 0; i < words.length; i++) {
    const low = halves[2 * i]!;
    const high = halves[2 * i + 1]!;
    const magnitude = high & ~SIGN;
    if (magnitude > INFINITE || (magnitude === INFINITE && low !== 0)) words[i] = LAST_WORD;
    // -0 is equal to 0.
    else words[i] = high < SIGN || (magnitude === 0 && low === 0) ? high | SIGN : ~high;
  }
}

/** Words move together with their rows, so that each pass reads memory in order. */
interface Moving {
  readonly rows: Uint32Array;
  readonly words: Uint32Array;
}

/** Sorts rows by their words. The rows end in their place, the words there or in the spare memory. */
function radixSort(given: Moving, spare: Moving): Moving {
  countDigits(given.words);
  let [from, to] = [given, spare];
  for (const [digit, shift] of SHIFTS.entries()) {
    if (!startsOf(digit, given.rows.length)) continue;
    distribute(from, to, shift, starts[digit]!);
    [from, to] = [to, from];
  }
  if (from.rows !== given.rows) given.rows.set(from.rows);
  return { rows: given.rows, words: from.words };
}

/** For each digit of a word: how many words have each of its values, then where the rows of each value begin. */
const starts = SHIFTS.map(() => new Uint32Array(BUCKETS));

function countDigits(words: Uint32Array): void {
  const [first, second, third] = [starts[0]!.fill(0), starts[1]!.fill(0), starts[2]!.fill(0)];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    first[word & DIGIT_MASK]!++;
    second[(word >>> SHIFTS[1]) & DIGIT_MASK]!++;
    third[word >>> SHIFTS[2]]!++;
  }
}

/** False when all words have the same digit. */
function startsOf(digit: number, count: number): boolean {
  const own = starts[digit]!;
  let start = 0;
  for (let value = 0; value < BUCKETS; value++) {
    const size = own[value]!;
    if (size === count) return false;
    own[value] = start;
    start += size;
  }
  return true;
}

/** One pass of the sort. */
function distribute(from: Moving, to: Moving, shift: number, next: Uint32Array): void {
  const { rows, words } = from;
  const { rows: sortedRows, words: sortedWords } = to;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const place = next[(word >>> shift) & DIGIT_MASK]!++;
    sortedRows[place] = rows[i]!;
    sortedWords[place] = word;
  }
}

/** Most numbers differ in the upper half of their bits; few rows are left to sort by the lower half. */
function sortTies(keys: Float64Array, { rows, words }: Moving, spare: Moving): void {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const word = words[from]!;
    do to++;
    while (to < rows.length && words[to] === word);
    if (to - from === 1 || word === LAST_WORD) continue;
    if (to - from < FEW) sortByKey(keys, rows, from, to);
    else {
      const tie = { rows: rows.subarray(from, to), words: words.subarray(from, to) };
      if (lowerWords(keys, tie)) {
        radixSort(tie, { rows: spare.rows.subarray(from, to), words: spare.words.subarray(from, to) });
      }
    }
  }
}

/** The lower halves of keys whose upper halves are equal. False when all of them are the same. */
function lowerWords(keys: Float64Array, { rows, words }: Moving): boolean {
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
  const inverted = keys[rows[0]!]! < 0 ? -1 : 0;
  let differences = 0;
  for (let i = 0; i < rows.length; i++) {
    const word = halves[2 * rows[i]!]! ^ inverted;
    words[i] = word;
    differences |= word ^ words[0]!;
  }
  return differences !== 0;
}

/** Sorts `rows[from … to - 1]`, which ascend, by comparing keys, in place. */
function sortByKey(keys: Float64Array, rows: Uint32Array, from: number, to: number): void {
  if (to - from <= VERY_FEW) insertionSort(keys, rows, from, to);
  else rows.subarray(from, to).sort((a, b) => compareNumbers(keys[a]!, keys[b]!) || a - b);
}

function insertionSort(keys: Float64Array, rows: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const row = rows[i]!;
    let place = i;
    while (place > from && compareNumbers(keys[rows[place - 1]!]!, keys[row]!) > 0) {
      rows[place] = rows[place - 1]!;
      place--;
    }
    rows[place] = row;
  }
}
