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

export function restUrl({ baseUrl, data }: CallContext, path: string, parameters: Parameters = {}): string {
  const query = queryText(parameters);
  return `${baseUrl}/v1/${data.group}/${path}${query === '' ? '' : `?${query}`}`;
}
