// The URL of a request without anything that could be an API key. People put API keys into any part of a URL, so the log has only
// values of known parameters, without long runs of letters and digits.

import { decodeUri } from '../../common/decode-uri.ts';
import { DATASETS } from '../../domain/datasets.ts';
import { PARAMETERS } from '../../query/parameters.ts';

const HIDDEN = '***';
/** API keys are longer, also when half of one is missing; names and ids rarely have such runs. */
const COULD_BE_A_KEY = /\w{16,}/g;
/** Of the path and of the query each. */
const MOST_CHARACTERS = 1000;

const HARMLESS: ReadonlySet<string> = new Set([
  ...Object.keys(PARAMETERS).filter(name => name !== 'api_key'),
  ...DATASETS.flatMap(({ columns }) => columns.map(column => column.name)),
]);
/** `price=10:100`, `[price]=10:100`. */
const NAMED = /^\[?(\w+)\]?=/;
/** `[sma50]>=:[sma200]`, `not_null`. */
const WITHOUT_VALUE = /^\[?(\w+)\]?(?:[<>!]?=?:\[(\w+)\])?$/;

export interface LoggableUrl {
  readonly path: string;
  readonly query: string;
}

export function loggableUrl(url: string): LoggableUrl {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  return {
    path: clipped(hideRuns(decoded(path))),
    query: clipped(
      query === ''
        ? ''
        : query
            .slice(0, 4 * MOST_CHARACTERS)
            .split('&')
            .map(loggablePair)
            .join('&'),
    ),
  };
}

function loggablePair(text: string): string {
  const pair = decoded(text);
  const name = NAMED.exec(pair)?.[1];
  if (name !== undefined) {
    if (HARMLESS.has(name)) return hideRuns(pair);
    return `${hideRuns(name)}=${HIDDEN}`;
  }
  const [, left = '', right = left] = WITHOUT_VALUE.exec(pair) ?? [];
  return HARMLESS.has(left) && HARMLESS.has(right) ? pair : HIDDEN;
}

/** Some known names are longer than the limit; they stay. */
function hideRuns(text: string): string {
  return text.replace(COULD_BE_A_KEY, run => (HARMLESS.has(run) ? run : HIDDEN));
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
