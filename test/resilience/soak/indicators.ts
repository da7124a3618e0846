// The indicators in a few plain lines, from their definitions, to judge what a server says for half an hour. The exact oracle
// is too slow for that; this one is right to about nine digits, which is enough to find a row of another day or asset.

/** `name` is a column such as sma20; the closes are daily, oldest first. */
export function indicator(name: string, closes: readonly number[]): number | null {
  const [, kind = '', digits = ''] = /^(change|sma|var|vol)(\d+)$/.exec(name) ?? [];
  const window = Number(digits);
  const last = closes.slice(-window);
  switch (kind) {
    case 'change': {
      const earlier = closes.at(-1 - window);
      return earlier === undefined ? null : (closes.at(-1)! / earlier - 1) * 100;
    }
    case 'sma':
      return mean(last);
    case 'var':
      return squares(last) / last.length;
    case 'vol': {
      const more = closes.slice(-window - 1);
      const returns = more.slice(1).map((close, i) => Math.log(close / more[i]!));
      return returns.length < 2 ? 0 : Math.sqrt((squares(returns) / (returns.length - 1)) * 365) * 100;
    }
    default:
      throw new RangeError(`${name} is no indicator`);
  }
}

export function agrees(found: unknown, expected: number | null, price: number): boolean {
  if (typeof found !== 'number' || expected === null) return found === expected;
  // What is nearly nothing beside the price has lost its digits.
  return Math.abs(found - expected) <= 1e-9 * Math.max(Math.abs(found), Math.abs(expected), 1e-3, 1e-3 * price ** 2);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function squares(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}
