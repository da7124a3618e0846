// Writes numbers as `String(value)` does, with the fewest digits that read back as the same double, but several times faster.
//
// A number a is scaled by a power of ten to s, between 1e16 and 1e17, so that its 17 digits are before the point; s is the
// sum of two doubles, exact to about 1e-14. Every decimal nearer to s than half the distance between two doubles reads back as
// a, and the shortest of them is the multiple of the highest power of ten. If that depends on less than `DOUBTFUL`, and for very
// large and very small numbers, `String` decides. So the fast path is never right by luck.

const [LOWEST_POWER, HIGHEST_POWER] = [-101, 118];
const [SMALLEST, LARGEST] = [1e-100, 1e100];
/** The lower eight of the 17 digits are handled separately from the upper nine. */
const LOWER = 1e8;
/** The lower part has 26 bits after the point. */
const DOUBTFUL = 1e-6;
/** Halves a double into two of 26 bits, whose products are exact (Dekker, Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
const LOG10_OF_2 = Math.log10(2);
/** More bytes than the text of any double has. */
export const LONGEST_NUMBER = 32;

/** 10^p as a sum: `nearest + rest`, and the nearest in two halves. */
const POWERS = HIGHEST_POWER - LOWEST_POWER + 1;
const nearest = new Float64Array(POWERS);
const rest = new Float64Array(POWERS);
const upperHalf = new Float64Array(POWERS);
const lowerHalf = new Float64Array(POWERS);
for (let power = LOWEST_POWER; power <= HIGHEST_POWER; power++) {
  const i = power - LOWEST_POWER;
  const scale = 600; // bits, enough to make every one of them whole
  const exact = power < 0 ? (1n << BigInt(scale)) / 10n ** BigInt(-power) : (10n ** BigInt(power)) << BigInt(scale);
  nearest[i] = Number(`1e${power}`);
  rest[i] = Number(exact - BigInt(nearest[i]! * 2 ** scale)) * 2 ** -scale;
  upperHalf[i] = nearest[i]! * SPLITTER - (nearest[i]! * SPLITTER - nearest[i]!);
  lowerHalf[i] = nearest[i]! - upperHalf[i]!;
}

/** By the exponent field of a double: half the distance to its neighbours. */
const halfGap = Float64Array.from({ length: 2047 }, (_, exponent) => 2 ** (exponent - 1023 - 53));

/** The two digits of each number below 100. */
const digitPairs = Uint8Array.from(
  Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'))
    .join('')
    .split(''),
  digit => digit.charCodeAt(0),
);

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** Writes a finite number at `at`, where `LONGEST_NUMBER` bytes must be free; returns its end. */
export function writeNumber(value: number, out: Uint8Array, at: number): number {
  if (value === 0) {
    out[at] = ZERO;
    return at + 1;
  }
  const isNegative = value < 0;
  if (isNegative) out[at] = MINUS;
  const end = writeShortest(isNegative ? -value : value, out, isNegative ? at + 1 : at);
  return end === DOUBT ? writeAscii(String(value), out, at) : end;
}

/** One byte per character. */
export function writeAscii(text: string, out: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return at + text.length;
}

const DOUBT = -1;
const [ZERO, MINUS, PLUS, POINT, EXPONENT] = [48, 45, 43, 46, 101];

function writeShortest(a: number, out: Uint8Array, at: number): number {
  if (!(a >= SMALLEST && a < LARGEST)) return DOUBT;
  double[0] = a;
  const field = words[1]! >>> 20;
  // The double below a power of two is nearer than the one above.
  if (words[0] === 0 && (words[1]! & 0xf_ffff) === 0) return DOUBT;
  let exponent = Math.floor((field - 1023) * LOG10_OF_2);
  if (a >= nearest[exponent + 1 - LOWEST_POWER]!) exponent++;

  const i = 16 - exponent - LOWEST_POWER;
  const product = a * nearest[i]!;
  const aUpper = a * SPLITTER - (a * SPLITTER - a);
  const aLower = a - aUpper;
  const error =
    aUpper * upperHalf[i]! - product + aUpper * lowerHalf[i]! + aLower * upperHalf[i]! + aLower * lowerHalf[i]!;
  const correction = error + a * rest[i]!;
  const scaled = product + correction;
  const remainder = correction - (scaled - product);
  const gap = halfGap[field]! * nearest[i]!;

  let upper = Math.floor(scaled * (1 / LOWER));
  // Both are whole numbers of at most 53 bits, so the difference is exact.
  let lower = scaled - upper * LOWER + remainder;
  if (lower < 0) {
    upper--;
    lower += LOWER;
  } else if (lower >= LOWER) {
    upper++;
    lower -= LOWER;
  }
  let unit = 1;
  let whole = Math.floor(lower + 0.5);
  if (lower < gap - DOUBTFUL || LOWER - lower < gap - DOUBTFUL) {
    whole = lower < LOWER / 2 ? 0 : LOWER;
  } else {
    // A product with the inverse, which is faster than a quotient, can miss the nearest multiple only where two are as near.
    for (let inverse = 0.1; ; inverse *= 0.1) {
      const next = Math.floor(lower * inverse + 0.5) * 10 * unit;
      const distance = Math.abs(next - lower) - gap;
      if (distance > DOUBTFUL) break;
      if (distance > -DOUBTFUL) return DOUBT;
      unit *= 10;
      whole = next;
    }
    // As near to the one above as to the one below.
    if (unit / 2 - Math.abs(whole - lower) < DOUBTFUL) return DOUBT;
  }
  if (whole === LOWER) {
    whole = 0;
    upper++;
  }
  if (upper < LOWER || upper >= 10 * LOWER) return DOUBT;
  return writeDecimal(upper, whole, exponent, out, at);
}

/** The 17 digits of `upper` and `lower` with a point after the first one, times 10^exponent, in the form of `String`. */
function writeDecimal(upper: number, lower: number, exponent: number, out: Uint8Array, at: number): number {
  if (exponent >= 0 && exponent < 21) {
    const end = writeDigits(upper, lower, out, at + 1);
    const point = at + exponent + 1;
    for (let i = at; i < point; i++) out[i] = i + 1 < end ? out[i + 1]! : ZERO;
    if (end <= point + 1) return point;
    out[point] = POINT;
    return end;
  }
  if (exponent < 0 && exponent >= -6) {
    let from = at;
    out[from++] = ZERO;
    out[from++] = POINT;
    for (let i = exponent + 1; i < 0; i++) out[from++] = ZERO;
    return writeDigits(upper, lower, out, from);
  }
  let end = writeDigits(upper, lower, out, at + 1);
  out[at] = out[at + 1]!;
  if (end === at + 2) end = at + 1;
  else out[at + 1] = POINT;
  out[end++] = EXPONENT;
  out[end++] = exponent < 0 ? MINUS : PLUS;
  return writeAscii(String(Math.abs(exponent)), out, end);
}

/** Nine digits, then eight, without the zeros at the end; returns their end. */
function writeDigits(upper: number, lower: number, out: Uint8Array, at: number): number {
  const first = (upper / LOWER) | 0;
  out[at] = ZERO + first;
  writeEight((upper - first * LOWER) | 0, out, at + 1);
  writeEight(lower | 0, out, at + 9);
  let end = at + 17;
  while (out[end - 1] === ZERO) end--;
  return end;
}

function writeEight(number: number, out: Uint8Array, at: number): void {
  const high = (number / 10_000) | 0;
  const low = number - high * 10_000;
  writeFour(high, out, at);
  writeFour(low, out, at + 4);
}

function writeFour(number: number, out: Uint8Array, at: number): void {
  const high = (number / 100) | 0;
  const low = number - high * 100;
  out[at] = digitPairs[2 * high]!;
  out[at + 1] = digitPairs[2 * high + 1]!;
  out[at + 2] = digitPairs[2 * low]!;
  out[at + 3] = digitPairs[2 * low + 1]!;
}
