// Reads numbers from the bytes of a cell: what `Number(text)` gives, to the last bit, without making a text of each.

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** How files write that a number is not known. */
const UNKNOWN = new Set(['', 'null', 'nan', 'na', 'n/a', 'none', '-', '\\n']);

/** NaN for what is no finite decimal number, also for a cell that says that nothing is known. */
export function parseNumber(bytes: Buffer, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  let digits = 0;
  let mantissa = 0;
  let point = -1;
  for (; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digits++;
    } else if (digit === -2 && point < 0) {
      point = at;
    } else {
      return parseSlowly(bytes, from, to);
    }
  }
  const decimals = point < 0 ? 0 : to - point - 1;
  // Both whole numbers are exact in a double, so that the one division rounds exactly as reading the decimal text must.
  if (digits === 0) return Number.NaN;
  if (mantissa >= Number.MAX_SAFE_INTEGER || decimals > 22) return finite(Number(bytes.toString('latin1', from, to)));
  const value = mantissa / POWERS_OF_TEN[decimals]!;
  return negative ? -value : value;
}

function parseSlowly(bytes: Buffer, from: number, to: number): number {
  const text = asciiText(bytes, from, to);
  return DECIMAL.test(text) ? finite(Number(text)) : Number.NaN;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

export function saysUnknown(bytes: Buffer, from: number, to: number): boolean {
  return from === to || UNKNOWN.has(asciiText(bytes, from, to).toLowerCase());
}

/** Without the spaces around it. Bytes beyond ASCII come out as other letters, which nothing that is read this way may hold. */
export function asciiText(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to).replace(/^[ \t]+|[ \t]+$/g, '');
}
