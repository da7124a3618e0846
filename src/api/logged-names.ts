// The parameters whose values the log shows. People put API keys into any part of a URL: values of unknown parameters are hidden.

import { DATASETS } from '../domain/datasets.ts';
import { PARAMETERS } from '../query/parameters.ts';

export const LOGGED_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(PARAMETERS).filter(name => name !== 'api_key'),
  ...DATASETS.flatMap(({ columns }) => columns.map(column => column.name)),
]);
