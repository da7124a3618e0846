// What may follow at the caret of an expression: columns, functions, words of the language, tags.

import { tokensOf } from '../expression-tokens.ts';

export interface Suggestion {
  /** What it inserts. */
  readonly text: string;
  /** Beside it, for people. */
  readonly note: string;
}

export interface Completion {
  /** The characters that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

export interface Vocabulary {
  readonly columns: readonly { readonly name: string; readonly label: string }[];
  readonly tags: readonly string[];
}

const MOST = 8;
const FUNCTIONS: readonly Suggestion[] = [
  { text: 'abs(', note: 'without its sign' },
  { text: 'min(', note: 'the smallest of several' },
  { text: 'max(', note: 'the largest of several' },
  { text: 'ln(', note: 'natural logarithm' },
  { text: 'sqrt(', note: 'square root' },
  { text: 'lag(', note: 'so many days earlier: lag(price, 7)' },
  { text: 'crosses_above(', note: 'above it, and not a day earlier' },
  { text: 'crosses_below(', note: 'below it, and not a day earlier' },
  { text: "tag('", note: 'has the tag' },
];
const WORDS: readonly Suggestion[] = [
  { text: 'and ', note: 'both hold' },
  { text: 'or ', note: 'one of them holds' },
  { text: 'not ', note: 'does not hold' },
  { text: 'between ', note: 'from a to b' },
  { text: 'is not null', note: 'has a value' },
  { text: 'is null', note: 'has no value' },
];

/** `asked`: the user wants to see suggestions without a beginning of a word. */
export function complete(expression: string, caret: number, { columns, tags }: Vocabulary, asked: boolean): Completion {
  const before = tokensOf(expression.slice(0, caret));
  const last = before.at(-1);
  const none: Completion = { from: caret, to: caret, suggestions: [] };
  if (last?.kind === 'text') {
    const inTag = before.at(-2)?.text === '(' && before.at(-3)?.text.toLowerCase() === 'tag';
    const open = last.text.length === 1 || !last.text.endsWith("'");
    if (!inTag || !open) return none;
    const start = last.text.slice(1).toLowerCase();
    const found = tags
      .filter(tag => tag.toLowerCase().startsWith(start))
      .map(tag => ({ text: `${tag}')`, note: 'tag' }));
    return { from: last.at + 1, to: caret, suggestions: found.slice(0, MOST) };
  }
  const touches = last?.kind === 'word' && last.at + last.text.length === caret;
  // The letter of 10M or 10 B.
  if (touches && before.at(-2)?.kind === 'number' && /^[kmbt]$/i.test(last.text)) return none;
  if (!touches && !asked) return none;
  const start = touches ? last.text : '';
  const rest = /^\w*/.exec(expression.slice(caret))![0]; // matches every text
  const previous = before.at(touches ? -2 : -1);
  const suggestions = afterValue(previous)
    ? startingWith(WORDS, start)
    : [...columnsFor(columns, start), ...startingWith([...FUNCTIONS, WORDS[2]!], start)];
  const [only] = suggestions;
  if (suggestions.length === 1 && only?.text.trim() === start && rest === '') return none;
  return { from: caret - start.length, to: caret + rest.length, suggestions: suggestions.slice(0, MOST) };
}

/** After a number, a column or a closing parenthesis, only a word of the language can follow. */
function afterValue(token: ReturnType<typeof tokensOf>[number] | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'number' || token.kind === 'text' || token.text === ')') return true;
  return token.kind === 'word' && !/^(and|or|not|between|in)$/i.test(token.text);
}

function startingWith(suggestions: readonly Suggestion[], start: string): readonly Suggestion[] {
  return suggestions.filter(({ text }) => text.startsWith(start.toLowerCase()));
}

/** By name first, then by a part of the label: `volat` finds vol30. */
function columnsFor(columns: Vocabulary['columns'], start: string): readonly Suggestion[] {
  const wanted = start.toLowerCase();
  const named = columns.filter(({ name }) => name.startsWith(wanted));
  const labelled = columns.filter(column => !named.includes(column) && column.label.toLowerCase().includes(wanted));
  return [...named, ...(wanted === '' ? [] : labelled)].map(({ name, label }) => ({ text: name, note: label }));
}
