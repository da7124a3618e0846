// `assets`: every asset that has a profile or prices.

import { ASSETS } from '../../domain/datasets.ts';
import { snapshotEndpoint } from '../listing/snapshot-listing.ts';

export const assets = snapshotEndpoint(ASSETS, {
  search: ['Assets with "dollar" in their name', '?q=dollar&limit=2'],
  metadata: ['With metadata', '?limit=1&meta=true'],
  csv: ['As CSV', '?limit=2&format=csv'],
});
