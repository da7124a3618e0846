// Splits the raw query string into decoded pairs, and encodes a pair for a link.
//
// URLSearchParams cannot do this: `[sma50]>:[sma200]` is a pair without `=`, and the first `=` of `[sma50]>=:[sma200]` belongs to the
// operator.

import { KEY_PARAMETERS, looksLikeKey } from '../../domain/api-key.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { ApiError, clipped, quoted } from '../../errors.ts';
import { namesOf } from '../names.ts';
import { parameterFacts } from '../parameters.ts';

/** Decoded. The value is null if the pair has no `=`. */
export interface Pair {
  readonly name: string;
  readonly value: string | null;
}

/**
 * Characters of the query string, as it is sent and as links repeat it. A link to the next page then fits into the 8 kB of headers
 * that most proxies pass on; 200 symbols and 100 filters fit into it.
 */
export const MAX_QUERY_LENGTH = 6000;

/** `query` is what follows the `?`, one character per byte received, as `node:http` provides it. */
export function splitQuery(query: string): Pair[] {
  requireShortQuery(query.length);
  return query
    .split('&')
    .filter(text => text !== '')
    .map(decodePair)
    .map(withoutMisplacedKey);
}

/** The pairs of a query string, with the names that the dataset has for them. */
export function splitPairs(dataset: Dataset, query: string): Pair[] {
  return splitQuery(query).map(pair => withoutListBrackets(dataset, pair));
}

/** Some clients send a list as `symbol[]=BTC&symbol[]=ETH`. */
function withoutListBrackets(dataset: Dataset, pair: Pair): Pair {
  if (!pair.name.endsWith('[]')) return pair;
  const name = pair.name.slice(0, -2);
  const parameter = namesOf(dataset).parameter(name);
  return parameter !== undefined && parameterFacts(dataset, parameter).repeatable ? { ...pair, name } : pair;
}

/** Links repeat the query, and people share links: an API key must not be in them. */
function withoutMisplacedKey(pair: Pair): Pair {
  if (KEY_PARAMETERS.includes(pair.name) || !looksLikeKey(`${pair.name}=${pair.value}`)) return pair;
  throw new ApiError('invalid_value', 'The query string has an API key in the wrong place.', {
    param: clipped(pair.name),
    hint: 'Send the API key in the header X-API-Key or Authorization, or as api_key=KEY.',
  });
}

/** `length`: of the query string, or of its encoded form. */
export function requireShortQuery(length: number): void {
  if (length <= MAX_QUERY_LENGTH) return;
  throw new ApiError('query_too_long', `The query string has ${length} characters, percent-encoded.`, {
    hint: `At most ${MAX_QUERY_LENGTH} characters are read. Split the symbols or filters among several requests.`,
  });
}

/** As most names and values are. */
const NOTHING_TO_DECODE = /^[\w.,:-]*$/;

function decodePair(text: string): Pair {
  const equals = text.indexOf('=');
  const rawName = equals < 0 ? text : text.slice(0, equals);
  const name = decoded(rawName, clipped(rawName.replace(/[^\x21-\x7e]/g, '?')));
  return withEqualsInPlace(name, equals < 0 ? null : decoded(text.slice(equals + 1), clipped(name)));
}

/** A client that treats a whole filter as a name encodes its `=` too, and may append one of its own. */
function withEqualsInPlace(name: string, value: string | null): Pair {
  const equals = name.indexOf('=');
  if (equals < 0) return { name, value };
  if (value === null || value === '') return { name: name.slice(0, equals), value: name.slice(equals + 1) };
  return equals === name.length - 1 ? { name: name.slice(0, equals), value } : { name, value };
}

function decoded(text: string, param: string): string {
  if (NOTHING_TO_DECODE.test(text)) return text;
  try {
    // decodeURIComponent rejects bytes that are not UTF-8 only if they are percent-encoded.
    const bytes = text.replaceAll('+', ' ').replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`);
    const result = decodeURIComponent(bytes);
    if (!result.includes('\0') && result.isWellFormed()) return result;
  } catch {
    // The error is thrown below.
  }
  throw new ApiError('bad_encoding', `The parameter ${quoted(param)} cannot be decoded.`, {
    param,
    hint: 'Percent-encode names and values as UTF-8, without NUL.',
  });
}

/** Legal in a URL and in a `Link` header, and still readable: `:` and `,` are not encoded. */
export function encodePair({ name, value }: Pair): string {
  return value === null ? encoded(name) : `${encoded(name)}=${encoded(value)}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',');
}
