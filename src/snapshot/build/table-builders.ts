// The builder of each table that a snapshot holds. A dataset in the catalogue without a builder does not compile.

import type { ByDataset } from '../table.ts';
import { assetsBuilder } from './assets-table.ts';
import { listingBuilder } from './listing-table.ts';
import type { TableBuilder } from './table-builder.ts';

export const TABLE_BUILDERS: ByDataset<TableBuilder> = { 'ta-cur': listingBuilder, assets: assetsBuilder };
