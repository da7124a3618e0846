// The tokenizer of expressions (`where`, `calc`).

import { quoted } from '../../errors.ts';
import { type ExpressionSource, expressionError } from './expression-source.ts';

/** In any case. They cannot be names of columns. */
export const KEYWORDS = ['and', 'or', 'not', 'is', 'null', 'between', 'in'] as const;
type Keyword = (typeof KEYWORDS)[number];

const SIGNS = ['<=', '>=', '!=', '=', '<', '>', '+', '-', '*', '/', '(', ')', ','] as const;
type Sign = (typeof SIGNS)[number];

export type Token = { readonly at: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'fixed'; readonly text: Keyword | Sign }
  | { readonly kind: 'end' }
);

const SPACE = /\s*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** A quote inside a text is written twice. */
const TEXT = /'((?:[^']|'')*)'/y;
/** A column may stand in brackets, as in the other filters. */
const NAME = /([A-Za-z_]\w*)|\[\s*([A-Za-z_]\w*)\s*\]/y;

/** What other languages write, and what is written here. */
const FOREIGN: Readonly<Record<string, string>> = {
  '"': "Write text in single quotes: 'BTC'.",
  '&': 'Write and.',
  '|': 'Write or.',
  '!': 'Write not, or != between two values.',
  '%': 'Write percentages without a sign: vol30 < 60. There is no % operator.',
  $: 'Write amounts without a sign: price > 5.',
  '€': 'Write amounts without a sign: price > 5.',
  '^': 'There is no power operator. Write x * x.',
  ';': 'Join conditions with and.',
};

export function tokenize(source: ExpressionSource): Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let at = source.start;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (;;) {
    at += match(SPACE)?.[0].length ?? 0;
    if (at >= text.length) break;
    const found = match(NUMBER) ?? match(TEXT) ?? match(NAME);
    const token = found ? tokenOf(source, found, at) : signAt(source, at);
    tokens.push(token);
    at += found ? found[0].length : token.kind === 'fixed' ? token.text.length : 0;
  }
  tokens.push({ kind: 'end', at: text.length });
  return tokens;
}

function tokenOf(source: ExpressionSource, found: RegExpExecArray, at: number): Token {
  const [text] = found;
  if (text.startsWith("'")) return { kind: 'text', value: text.slice(1, -1).replaceAll("''", "'"), at };
  const name = found[1] ?? found[2];
  if (name === undefined || /^[\d.]/.test(text)) return numberOf(source, text, at);
  const keyword = KEYWORDS.find(each => each === text.toLowerCase());
  return keyword === undefined ? { kind: 'name', name, at } : { kind: 'fixed', text: keyword, at };
}

function numberOf(source: ExpressionSource, text: string, at: number): Token {
  const value = Number(text);
  if (Number.isFinite(value)) return { kind: 'number', value, at };
  throw expressionError(source, at, `The number ${quoted(text)} is too large for a double.`);
}

function signAt(source: ExpressionSource, at: number): Token {
  const { text } = source;
  const foreign = text.startsWith('==', at) ? 'Write =.' : text.startsWith('<>', at) ? 'Write !=.' : undefined;
  const sign = SIGNS.find(each => text.startsWith(each, at));
  if (sign !== undefined && foreign === undefined) return { kind: 'fixed', text: sign, at };
  if (text[at] === "'") {
    throw expressionError(source, at, 'A text has no closing quote.', "Write 'BTC'; a quote inside is written twice.");
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0).toWellFormed();
  throw expressionError(
    source,
    at,
    `An expression cannot have ${quoted(character)} here.`,
    foreign ?? FOREIGN[character],
  );
}
