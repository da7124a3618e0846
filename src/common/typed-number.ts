// Numbers as people type them, such as 10M, 1.5 b or 10,000,000: for forms, filter fields and the tools of agents. The query string of
// the API takes plain numbers only. The explorer imports this file, so it imports nothing.

const POWERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };

const SPACES = ' \\u00a0\\u2009\\u202f';
const FRACTION = '(?:\\.\\d*)?(?:[eE][+-]?\\d+)?';
const SUFFIX = `(?:[${SPACES}]?[kmbtKMBT](?!\\w))?`;

/** Groups of three digits may be separated; a comma is never a decimal point. */
function pattern(separators: string): string {
  return `(?:(?:\\d{1,3}(?:[${separators}]\\d{3})+(?!\\d)|\\d+)${FRACTION}|\\.\\d+(?:[eE][+-]?\\d+)?)${SUFFIX}`;
}

const NUMBER = pattern(`,_'’${SPACES}`);
const WHOLE = new RegExp(`^([+\\-−]?)[${SPACES}]?(${NUMBER})$`);
/** A quote begins a text there. */
const IN_EXPRESSION = new RegExp(pattern(`,_’${SPACES}`), 'y');
/** Between the parentheses of a function a comma separates its operands. */
const IN_LIST = new RegExp(pattern(`_’${SPACES}`), 'y');
const OTHER = /'(?:[^']|'')*'?|\w+|./sy;

/** Null for what is not a number, or too large for one. */
export function typedNumber(text: string): number | null {
  const [, sign, digits] = WHOLE.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const value = numberOf(digits);
  if (!Number.isFinite(value)) return null;
  return sign === '-' || sign === '−' ? -value : value;
}

/** The expression with plain numbers and plain minus signs; names, texts and what is wrong stay as they are. */
export function withPlainNumbers(expression: string): string {
  const lists: boolean[] = [];
  let [plain, word] = ['', ''];
  for (let at = 0; at < expression.length; ) {
    const number = matchAt(lists.at(-1) === true ? IN_LIST : IN_EXPRESSION, expression, at);
    const part = number ?? matchAt(OTHER, expression, at)!; // matches any character
    at += part.length;
    if (part === '(') lists.push(/^\w+$/.test(word) && !/^(?:and|or|not|between)$/i.test(word));
    else if (part === ')') lists.pop();
    if (part.trim() !== '') word = part;
    if (part === '−') plain += '-';
    else plain += number === null || Number.isFinite(Number(number)) ? part : plainText(number);
  }
  return plain;
}

function plainText(number: string): string {
  const value = numberOf(number);
  return Number.isFinite(value) ? String(value) : number;
}

function matchAt(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}

/** By the decimal text, because 1.1 · 1e6 is not 1100000. */
function numberOf(digits: string): number {
  const [, mantissa = '', exponent = '0', letter = ''] = /^([\d.]*)(?:[eE]([+-]?\d+))?([a-z]?)$/i.exec(
    digits.replaceAll(/[^\w.+-]|_/g, ''),
  )!; // what the patterns above match, without separators
  return Number(`${mantissa}e${Number(exponent) + (POWERS[letter.toLowerCase()] ?? 0)}`);
}
