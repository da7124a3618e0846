// The REST address of what a tool shows, for clients that want all rows with all digits.

import type { CallContext } from './tool.ts';

/** Parameters that are undefined are left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

export function queryText(parameters: Parameters): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join('&');
}

/** Only a path if no service is known; `NO_SERVICE` says so. */
export function restUrl({ baseUrl, data }: CallContext, path: string, parameters: Parameters = {}): string {
  const query = queryText(parameters);
  return `${baseUrl}/v1/${data.group}/${path}${query === '' ? '' : `?${query}`}`;
}

/** The last line of a result with paths, read from a store in this process. */
export const NO_SERVICE =
  "These are paths of the REST API: 'tidemark serve' on the same store serves them, and 'tidemark mcp --public-url URL' shows whole URLs.";
