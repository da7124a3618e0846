// Reads numbers from the bytes of a cell: what `Number(text)` gives, to the last bit, without making a text of each.
//
//   1234.5, 2.25e-05            as programs write them
//   1,234.5, 1,234,567          with commas between thousands
//   1.234,5, 0,5                with a decimal comma
//   $1,234.50, 116,12 $, 5 USD  with the sign of the dollar, in which all prices are
// What can be read in two ways (1,234) is not guessed: `--decimal` decides.

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WITH_POINT = /^[+-]?([1-9]\d{0,2}(,\d{3})+|\d+)(\.\d*)?$/;
const WITH_COMMA = /^[+-]?([1-9]\d{0,2}(\.\d{3})+|\d+)(,\d*)?$/;
/** A division by zero, as programs write it. */
const INFINITE = /^[+-]?inf(inity)?$/i;
/** How files write that a number is not known. */
const UNKNOWN = new Set(['', 'null', 'nan', 'na', 'n/a', 'none', '-', '\\n']);

/** The sign before the decimals, where a person named it. */
export type DecimalSign = '.' | ',' | undefined;

/** NaN for what is not a decimal number, also for a cell that says that nothing is known; infinite only where the cell says so. */
export function parseNumber(bytes: Buffer, from: number, to: number, decimal?: DecimalSign): number {
  if (decimal === ',') return parseSlowly(bytes, from, to, decimal);
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
      return parseSlowly(bytes, from, to, decimal);
    }
  }
  const decimals = point < 0 ? 0 : to - point - 1;
  // Both whole numbers are exact in a double, so that the one division rounds exactly as reading the decimal text must.
  if (digits === 0) return Number.NaN;
  if (mantissa >= Number.MAX_SAFE_INTEGER || decimals > 22) return finite(Number(bytes.toString('latin1', from, to)));
  const value = mantissa / POWERS_OF_TEN[decimals]!;
  return negative ? -value : value;
}

function parseSlowly(bytes: Buffer, from: number, to: number, decimal: DecimalSign): number {
  const text = asciiText(bytes, from, to);
  if (INFINITE.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const readings = readingsOf(withoutDollar(text), decimal);
  return readings.length === 1 ? finite(readings[0]!) : Number.NaN;
}

/** Whether the cell is a number that `--decimal` would make readable. */
export function isAmbiguousNumber(text: string): boolean {
  return readingsOf(withoutDollar(text), undefined).length === 2;
}

/** Spreadsheets put a no-break space between a number and its currency; its two bytes are read as two letters here. */
function withoutDollar(text: string): string {
  return text.replace(
    /^([+-]?)(?:US)?\$(?:\u00c2\u00a0| )?|(?:\u00c2\u00a0| )?(?:US)?\$$|(?:\u00c2?\u00a0| )USD$/giu,
    '$1',
  );
}

function readingsOf(text: string, decimal: DecimalSign): number[] {
  if (decimal !== ',' && PLAIN.test(text)) return [Number(text)];
  const readings: number[] = [];
  if (decimal !== ',' && WITH_POINT.test(text)) readings.push(Number(text.replaceAll(',', '')));
  if (decimal !== '.' && WITH_COMMA.test(text)) readings.push(Number(text.replaceAll('.', '').replace(',', '.')));
  return readings;
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
