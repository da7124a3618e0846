// The address of a request as the log may have it. People put keys into any part of an address, so what is written is only
// what is known to be harmless: values of parameters that the service knows, and nothing in which a key could hide.

import { DATASETS } from '../../domain/datasets.ts';
import { PARAMETERS } from '../../query/parameters.ts';

const HIDDEN = '***';
/** Keys are longer, and so is what is left of one that was cut off in the middle; names and ids have few runs like it. */
const COULD_BE_A_KEY = /\w{16,}/g;
/** Of the path, and of the query. */
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

/** Known words are longer than the limit now and then, and stay. */
function hideRuns(text: string): string {
  return text.replace(COULD_BE_A_KEY, run => (HARMLESS.has(run) ? run : HIDDEN));
}

function clipped(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** As often as it is encoded: what is encoded twice must not hide from the rules above. */
function decoded(text: string): string {
  let clear = text.replaceAll('+', ' ');
  for (let i = 0; i < 3 && clear.includes('%'); i++) {
    try {
      clear = decodeURIComponent(clear);
    } catch {
      return HIDDEN;
    }
  }
  return clear.includes('%') ? HIDDEN : clear;
}
