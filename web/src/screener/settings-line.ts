// A computed column as a line of the settings file, which defines columns over bars instead of over other columns.

import { tokensOf } from '../expression-tokens.ts';

/** The line, or the word of the expression that has no meaning over bars. */
export type SettingsLine = { readonly line: string } | { readonly unknown: string };

const SERIES = ['open', 'high', 'low', 'volume', 'turnover'];
const FUNCTIONS = ['abs', 'min', 'max', 'ln', 'sqrt', 'lag'];
/** Columns that differ in their window: their name and the function. */
const FAMILY = /^(sma|ema|var|change|rsi|zscore|max|min)(\d+)$/;

export function settingsLine(name: string, expression: string): SettingsLine {
  const tokens = tokensOf(expression);
  let [text, from] = ['', 0];
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'text') return { unknown: token.text };
    if (token.kind !== 'word') continue;
    const written = tokens[i + 1]?.text === '(' ? asFunction(token.text) : asSeries(token.text);
    if (written === null) return { unknown: token.text };
    text += expression.slice(from, token.at) + written;
    from = token.at + token.text.length;
  }
  return { line: `${JSON.stringify(name)}: ${JSON.stringify(text + expression.slice(from))}` };
}

function asFunction(word: string): string | null {
  return FUNCTIONS.includes(word) ? word : null;
}

function asSeries(word: string): string | null {
  if (word === 'price') return 'close';
  if (SERIES.includes(word)) return word;
  const [, family, length] = FAMILY.exec(word) ?? [];
  if (family !== undefined) return `${family}(close, ${length})`;
  const [, atr] = /^atr(\d+)$/.exec(word) ?? [];
  if (atr !== undefined) return `atr(${atr})`;
  const [, turnover] = /^turnover(\d+)$/.exec(word) ?? [];
  return turnover === undefined ? null : `sma(turnover, ${turnover})`;
}
