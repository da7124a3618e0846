// What a call probably meant: an argument under another name, a day with a time, operators of another language.

import { nearest } from '../common/nearest.ts';
import { dayFromIso } from '../domain/day.ts';
import type { Tool, Values } from './tool.ts';

/** Names that other services have for arguments. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['filter', ['where']],
  ['condition', ['where']],
  ['query', ['where', 'text']],
  ['name', ['text', 'asset']],
  ['id', ['asset']],
  ['symbol', ['asset']],
  ['ticker', ['asset']],
  ['date', ['as_of']],
  ['day', ['as_of']],
  ['fields', ['columns']],
]);

/** The value of an unknown argument under the name that was meant. It is never dropped: the call would select other rows. */
export function withArgument(tool: Tool, values: Values, param: string): Values | null {
  const { [param]: moved, ...others } = values;
  const free = Object.keys(tool.arguments).filter(name => values[name] === undefined);
  const name =
    OTHER_NAMES.get(param)?.find(other => free.includes(other)) ??
    nearest(param, free) ??
    free.find(other => tool.arguments[other]!.required);
  if (name !== undefined) return { ...others, [name]: moved };
  const condition = conditionOf(param, moved);
  if (condition === null || !Object.hasOwn(tool.arguments, 'where')) return null;
  const { where } = values;
  return { ...others, where: typeof where === 'string' ? `(${where}) and ${condition}` : condition };
}

/** Tickers and tags, which are conditions. */
function conditionOf(param: string, value: unknown): string | null {
  const items = (Array.isArray(value) ? value : String(value).split(',')).map(item => String(item).trim());
  const texts = items.filter(item => item !== '' && !item.includes("'")).map(item => `'${item}'`);
  if (texts.length === 0) return null;
  if (/^(?:symbol|ticker|asset)s?$/.test(param)) return `symbol in (${texts.join()})`;
  return /^tags?$/.test(param) ? `(${texts.map(text => `tag(${text})`).join(' or ')})` : null;
}

/** Without the time of day; without a day that has not come yet. */
export function withDay(values: Values, param: string): Values | null {
  const { [param]: value, ...others } = values;
  const [, year, month, day] = /^\s*(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?!\d)/.exec(String(value)) ?? [];
  const text = `${year}-${month}-${day}`;
  if (dayFromIso(text) === null) return null;
  return text === value ? others : { ...others, [param]: text };
}

/** What other languages write for the same. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/&&?/g, ' and '],
  [/\|\|?/g, ' or '],
  [/===?/g, '='],
  [/<>/g, '!='],
  [/!(?!=)/g, ' not '],
  [/"/g, "'"],
  [/(\d)\s*%/g, '$1'],
];

export function withOperators(values: Values, where: string): Values | null {
  // The texts between quotation marks, at the odd places, stay as they are.
  const parts = where.split(/('[^']*')/).map((part, i) => (i % 2 === 1 ? part : withOperatorsOf(part)));
  const text = parts.join('');
  return text === where ? null : { ...values, where: text };
}

function withOperatorsOf(part: string): string {
  return REPLACEMENTS.reduce((rest, [from, to]) => rest.replace(from, to), part).replace(/ {2,}/g, ' ');
}
