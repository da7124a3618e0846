// The REST address of what a tool shows, for clients that want all rows with all digits.

import type { Dataset } from '../domain/datasets.ts';
import { ASSET_PATH, datasetPath, fillPath } from '../domain/paths.ts';
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
export function assetUrl({ baseUrl, data }: CallContext, id: string): string {
  return baseUrl + fillPath(ASSET_PATH, { group: data.group, id });
}

export function listingUrl({ baseUrl, data }: CallContext, { name }: Dataset, parameters: Parameters): string {
  return `${baseUrl}${fillPath(datasetPath(name), { group: data.group })}?${queryText(parameters)}`;
}

/** The last line of a result with paths, read from a store in this process. */
export const NO_SERVICE =
  "These are paths of the REST API: 'tidemark serve' on the same store serves them, and 'tidemark mcp --public-url URL' shows whole URLs.";
