// The URL at which the rows of an alert's query can be read.

import { TA_CUR } from '../domain/datasets.ts';
import { datasetPath, fillPath } from '../domain/paths.ts';

/** Empty if the address of the service is not known. */
export function listingUrl(base: string, group: string, query: string): string {
  if (base === '') return '';
  const url = new URL(`${base.replace(/\/+$/, '')}${fillPath(datasetPath(TA_CUR.name), { group })}`);
  // Encodes what a URL cannot hold, and leaves what is encoded already.
  url.search = query;
  return url.href;
}
