// Protection against CSV injection: texts that a spreadsheet would run as a formula are neutralised with an apostrophe.
//
// A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` (or the full-width form of one), also after white space; some
// also run cells that begin with a tab, a line break or NUL. A program that splits at `;`, `|` or tabs instead of commas sees
// further cells inside a text. So an apostrophe goes to the start of each such cell, and to each cell that begins with an
// apostrophe: a reader who wants the text itself removes one apostrophe at its start and after each separator in it.
//
// Texts are byte strings, one character per byte of UTF-8.

/** White space of ASCII and Unicode, zero-width characters and the byte order mark. */
const SPACES =
  '(?:[\\t-\\r \\0]|\\xc2[\\x85\\xa0]|\\xe1\\x9a\\x80|\\xe2\\x80[\\x80-\\x8f\\xa8-\\xaf]|\\xe2\\x81[\\x9f\\xa0]|\\xe3\\x80\\x80|\\xef\\xbb\\xbf)*';
const FORMULA = "(?:[=+\\-@']|\\xef\\xbc[\\x8b\\x8d\\x9d\\xa0])";
const SEPARATOR = '[;|\\t\\r\\n]';

const CELL_STARTS = new RegExp(`${SEPARATOR}${SPACES}|^${SPACES}`, 'g');
const FORMULA_HERE = new RegExp(FORMULA, 'y');
const SEPARATORS = new RegExp(SEPARATOR, 'g');
/** Most texts do not match, and need no further check. */
const SUSPICIOUS = new RegExp(`^[\\t\\r\\n\\0]|^${SPACES}${FORMULA}|${SEPARATOR}`);

export function withoutFormulas(bytes: string): string {
  if (!SUSPICIOUS.test(bytes)) return bytes;
  const safe = bytes.replace(CELL_STARTS, (start, at: number) => {
    FORMULA_HERE.lastIndex = at + start.length;
    if (!FORMULA_HERE.test(bytes)) return start;
    const guarded = start.replace(SEPARATORS, "$&'");
    return at > 0 || start.search(SEPARATORS) === 0 ? guarded : `'${guarded}`;
  });
  return /^[\t\r\n\0]/.test(safe) ? `'${safe}` : safe;
}
