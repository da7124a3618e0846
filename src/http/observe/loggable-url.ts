// The URL of a request without anything that could be an API key. People put API keys into any part of a URL, so the log has only
// values of known parameters, without long runs of letters and digits.

import { decodeUri } from '../../common/decode-uri.ts';

const HIDDEN = '***';
/** API keys are longer, also when half of one is missing; names and ids rarely have such runs. */
const COULD_BE_A_KEY = /\w{16,}/g;
/** Of the path and of the query each. */
const MOST_CHARACTERS = 1000;

/** `price=10:100`, `[price]=10:100`. */
const NAMED = /^\[?(\w+)\]?=/;
/** `[sma50]>=:[sma200]`, `not_null`. */
const WITHOUT_VALUE = /^\[?(\w+)\]?(?:[<>!]?=?:\[(\w+)\])?$/;

export interface LoggableUrl {
  readonly path: string;
  readonly query: string;
}

/** `harmless`: the names of parameters whose values are shown. */
export function loggableUrl(url: string, harmless: ReadonlySet<string>): LoggableUrl {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  return {
    path: clipped(hideRuns(decoded(path), harmless)),
    query: clipped(
      query === ''
        ? ''
        : query
            .slice(0, 4 * MOST_CHARACTERS)
            .split('&')
            .map(pair => loggablePair(pair, harmless))
            .join('&'),
    ),
  };
}

function loggablePair(text: string, harmless: ReadonlySet<string>): string {
  const pair = decoded(text);
  const name = NAMED.exec(pair)?.[1];
  if (name !== undefined) {
    if (harmless.has(name)) return hideRuns(pair, harmless);
    return `${hideRuns(name, harmless)}=${HIDDEN}`;
  }
  const [, left = '', right = left] = WITHOUT_VALUE.exec(pair) ?? [];
  return harmless.has(left) && harmless.has(right) ? pair : HIDDEN;
}

/** Some known names are longer than the limit; they stay. */
function hideRuns(text: string, harmless: ReadonlySet<string>): string {
  return text.replace(COULD_BE_A_KEY, run => (harmless.has(run) ? run : HIDDEN));
}

function clipped(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** Decodes up to three times, so that double encoding cannot hide an API key. */
function decoded(text: string): string {
  let clear: string | null = text.replaceAll('+', ' ');
  for (let i = 0; i < 3 && clear?.includes('%'); i++) clear = decodeUri(clear);
  return clear === null || clear.includes('%') ? HIDDEN : clear;
}
