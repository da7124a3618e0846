// The ticker in the name of a file, for folders that hold one file per asset.

import { basename } from 'node:path';
import { isDollar } from '../dollar-quotes.ts';
import { SourceUsageError } from '../source.ts';

const PLACE = '{symbol}';

/** `btc.csv` and `BTC-USD.csv.gz` give `BTC`. With a pattern, what stands at its place; null when the name does not match it. */
export function symbolOfFile(path: string, pattern?: string): string | null {
  const name = basename(path);
  if (pattern !== undefined) return expressionOf(pattern).exec(name)?.[1]?.trim().toUpperCase() || null;
  const stem = name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
  const pair = /^(.+)[-_]([^-_]+)$/.exec(stem);
  const ticker = pair !== null && isDollar(pair[2]!) ? pair[1]! : stem;
  return ticker.trim().toUpperCase() || null;
}

export function checkPattern(pattern: string): void {
  expressionOf(pattern);
}

function expressionOf(pattern: string): RegExp {
  const hint = `write ${PLACE} where the ticker stands, such as ${PLACE}-USD.csv, or a regular expression with one group`;
  if (pattern.includes(PLACE)) {
    const parts = pattern.split(PLACE);
    if (parts.length !== 2) throw new SourceUsageError(`--name-pattern ${pattern} has ${PLACE} more than once`, hint);
    const [before, after] = parts.map(part => RegExp.escape(part).replaceAll('\\*', '.*'));
    return new RegExp(`^${before}(.+?)${after}$`, 'iu');
  }
  try {
    const expression = new RegExp(pattern, 'iu');
    // An alternative that always matches tells how many groups there are.
    if (new RegExp(`${pattern}|`, 'iu').exec('')?.length === 2) return expression;
  } catch (error) {
    throw new SourceUsageError(`--name-pattern ${pattern} is not a regular expression`, hint, { cause: error });
  }
  throw new SourceUsageError(`--name-pattern ${pattern} does not say where the ticker stands`, hint);
}
