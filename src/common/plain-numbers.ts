// Numbers as people type them, as an expression reads them: `10M` becomes 10000000, `1,000,000` becomes 1000000.

const POWERS: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };

/** A text in quotes, a word, a number, or one other character. */
const PART =
  /'[^']*'?|[A-Za-z_]\w*|(?:\d+(?:\.\d*)?e[-+]?\d+|(?<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?<decimals>\.\d+)?(?: ?(?<suffix>[KMBT])(?!\w))?)|\S/gi;

/** Everything else stays. Commas inside the parentheses of a function or of `in` separate values. */
export function withPlainNumbers(expression: string): string {
  /** Of each open parenthesis, whether commas separate values in it. */
  const lists: boolean[] = [];
  let before = '';
  return expression.replace(PART, (part, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<'digits' | 'decimals' | 'suffix', string | undefined>>; // those of the pattern
    if (part === '(') lists.push(/^[a-z_]/i.test(before) && !/^(?:and|or|not)$/i.test(before));
    if (part === ')') lists.pop();
    before = part;
    const { digits, decimals = '', suffix } = groups;
    if (digits === undefined) return part;
    // In a list, only the last of `1,200M` has the suffix.
    const last = lists.at(-1) === true ? digits.lastIndexOf(',') + 1 : 0;
    const written = digits.slice(last).replaceAll(',', '') + decimals;
    const plain = suffix === undefined ? written : String(Number(`${written}e${POWERS[suffix.toUpperCase()]}`));
    return digits.slice(0, last) + plain;
  });
}
