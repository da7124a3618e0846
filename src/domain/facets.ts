// The tags and types of the assets in a listing: the columns of `ta-cur/facets`, one row per tag and type.

import type { Column } from './columns.ts';
import { type Dataset, TA_CUR } from './datasets.ts';

export const FACETS: Dataset<'ta-cur/facets', false> = {
  name: 'ta-cur/facets',
  title: 'Tags and types of a listing query',
  description:
    'One row per type and per tag of the assets that the query selects, with their number: types first, then tags, the most frequent first. ' +
    'Takes every parameter of `ta-cur`; `limit` and `page` count the rows of this answer.',
  columns: [
    text('facet', '`type` or `tag`'),
    text('value', 'The type or tag, in lower case, as the parameters `type` and `tag` take it'),
    {
      name: 'count',
      kind: 'count',
      type: 'integer',
      unit: null,
      nullable: false,
      description: 'Rows of the listing whose asset has it',
    },
  ],
  defaultSort: 'facet',
  defaultOrder: 'asc',
  tieBreaker: 'value',
  ofOneAsset: false,
  hasEarlier: false,
  isStreamed: false,
  extraParameters: TA_CUR.extraParameters,
};

function text(name: string, description: string): Column {
  return { name, kind: 'text', type: 'string', unit: null, nullable: false, description };
}
