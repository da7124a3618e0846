// Turns the parameters of a request into the query string of its URL.

import type { Expression } from './expression.ts';

type Value = string | number | boolean | Expression;

/** A list becomes a repeated parameter; undefined and null are left out; an object is `name:value` pairs, as `calc` takes them. */
export type Query = Readonly<
  Record<string, Value | readonly Value[] | Readonly<Record<string, Value>> | undefined | null>
>;

/** `?price=10:100&limit=5`, or nothing. */
export function queryString(query: object): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const each of valuesOf(value)) pairs.push(`${encode(name)}=${encode(each)}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function valuesOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(String);
  // An object literal; an Expression is its text.
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.entries(value).map(pair => pair.join(':'));
  return [String(value)];
}

/** Colons and commas separate values here and need no escape. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',');
}
