// `ta-cur`: the current indicators of every active asset.

import { TA_CUR } from '../../domain/datasets.ts';
import { snapshotEndpoint } from '../listing/snapshot-listing.ts';

export const taCur = snapshotEndpoint(TA_CUR, {
  volatile: ['The most volatile assets above 1 USD', '?limit=2&sort=vol30&price=1:'],
  cross: ['The 50-day average above the 200-day one', '?limit=1&[sma50]>:[sma200]'],
  optional: [
    'Optional columns: the lowest RSI, with the group range',
    '?limit=1&sort=rsi14&order=asc&incl_cols=rsi14,range',
  ],
  csv: ['As CSV', '?limit=2&sort=price&format=csv'],
  typo: ['A misspelt parameter', '?limt=2'],
  twice: ['A parameter given twice', '?page=1&page=2'],
  value: ['A value that the parameter does not take', '?limit=0'],
  column: ['A column that is not there', '?sort=sma60'],
  text: ['A range of texts', '?range=symbol:1:2'],
  range: ['A range the wrong way round', '?price=100:10'],
  comparison: ['A comparison without its colon', '?[sma50]>[sma200]'],
});
