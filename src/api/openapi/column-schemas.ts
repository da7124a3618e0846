// Schemas of rows, of the envelope and of column metadata, from the catalogue of columns.

import { COLUMN_GROUPS, type Column } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import type { CatalogColumn, FieldMetadata } from '../../render/metadata.ts';
import { exactly, type JsonObject, listOf, nullable, pascalCase, ref } from '../json-schema.ts';

const ROW_TIME = { format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00\\.000Z$' };
const PROFILE_TIME = { format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT00:00:00Z$' };
/** A column that the request itself computes, by `calc`. */
export const CALC_NAME = '^[a-z][a-z0-9_]{0,31}$';
const CLOCK = '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$';

/** The one object that a row has. */
const HISTOGRAM = exactly({
  edges: listOf({ type: 'number' }, 'One more than there are bins, ascending.'),
  counts: listOf({ type: 'integer', minimum: 0 }, 'Values in each bin.'),
});

export function rowName(dataset: Dataset): string {
  return `${pascalCase(dataset.name)}Row`;
}

export function listingName(dataset: Dataset): string {
  return `${pascalCase(dataset.name)}Listing`;
}

/** No member is required, because `excl_cols` can leave out each of them. */
export function rowSchema(dataset: Dataset): JsonObject {
  return {
    type: 'object',
    description: `A row of ${dataset.name}. It has every column, in this order, except those in \`excl_cols\`, and optional columns only if \`incl_cols\` names them.`,
    properties: Object.fromEntries(dataset.columns.map(column => [column.name, columnSchema(column)])),
    additionalProperties: nullable('number', 'A column that the `calc` parameter of the request computes.'),
  };
}

function columnSchema(column: Column): JsonObject {
  if (column.kind === 'json') return { anyOf: [HISTOGRAM, { type: 'null' }], description: columnText(column) };
  return {
    type: column.nullable ? [column.type, 'null'] : column.type,
    ...(column.kind === 'time' ? ('milliseconds' in column ? ROW_TIME : PROFILE_TIME) : {}),
    description: columnText(column),
  };
}

/** The description, followed by unit, formula and the length of the window. */
function columnText(column: Column): string {
  const unit = column.unit === null ? '' : ` Unit: ${column.unit}.`;
  const formula = 'formula' in column && column.formula !== undefined ? ` Formula: ${column.formula}.` : '';
  // Every row has one close.
  const needsMore = 'minHistory' in column && column.minHistory > 1;
  const history = needsMore ? ` A full window needs ${column.minHistory} daily closes.` : '';
  return `${column.description}.${unit}${formula}${history}`;
}

export function listingSchema(dataset: Dataset): JsonObject {
  const schema = exactly({
    error: { type: 'boolean', const: false, description: 'False: the request succeeded.' },
    response_time: { type: 'number', minimum: 0, description: 'Total processing time in milliseconds.' },
    results_returned: { type: 'integer', minimum: 0, description: 'Number of rows in `result`.' },
    result: { type: 'array', items: ref('schemas', rowName(dataset)), description: 'The rows of this page.' },
    datetimeUTC: clockSchema('Time of the response, UTC.'),
    metadata: {
      type: ['object', 'null'],
      description: 'With `meta=true`: a description of each returned column, by name. Otherwise null.',
      propertyNames: {
        anyOf: [
          { enum: dataset.columns.map(column => column.name) },
          { pattern: CALC_NAME, description: 'A `calc` column.' },
        ],
      },
      additionalProperties: ref('schemas', 'ColumnMetadata'),
    },
    fetch_meta_time: { type: 'number', minimum: 0, description: 'Milliseconds spent on the metadata; 0 without it.' },
    fetch_data_time: {
      type: 'number',
      minimum: 0,
      description: 'Milliseconds spent on selecting and rendering the rows.',
    },
    next: nullable('string', 'Absolute URL of the next page; null on the last one.', { format: 'uri' }),
    prev: nullable('string', 'Absolute URL of the previous page; null on the first one.', { format: 'uri' }),
  });
  return { ...schema, description: `A page of ${dataset.name}.` };
}

/** `YYYY-MM-DD HH:MM:SS`. */
export function clockSchema(description: string): JsonObject {
  return { type: 'string', pattern: CLOCK, description, examples: ['2026-06-30 12:00:00'] };
}

const METADATA_FIELDS: Readonly<Record<keyof FieldMetadata, JsonObject>> = {
  type: {
    type: 'string',
    enum: ['number', 'integer', 'string', 'boolean', 'object'],
    description: 'JSON type of the values.',
  },
  unit: nullable('string', 'Unit of the values; null if they have none.'),
  nullable: { type: 'boolean', description: 'Whether a value can be null.' },
  description: { type: 'string', description: 'What the column contains.' },
  group: { type: 'string', enum: Object.keys(COLUMN_GROUPS), description: 'For optional columns: the group.' },
  window: { type: 'integer', minimum: 1, description: 'For indicators: length of the window in periods.' },
  window_text: { type: 'string', description: 'The same in words, such as `50 hours`, unless the periods are days.' },
  formula: { type: 'string', description: 'For indicators and `calc` columns: the formula.' },
  min_history: {
    type: 'integer',
    minimum: 1,
    description: 'For indicators: number of closes for a full window, one per period.',
  },
  position: { type: 'integer', minimum: 1, description: 'For `calc` columns: the position in a row, starting at 1.' },
};

const OF_SOME_COLUMNS = [
  'group',
  'window',
  'window_text',
  'formula',
  'min_history',
  'position',
] satisfies (keyof FieldMetadata)[];

export function metadataSchema(): JsonObject {
  return { ...exactly(METADATA_FIELDS, OF_SOME_COLUMNS), description: 'Description of a column.' };
}

const CATALOG_FIELDS: Readonly<Record<keyof CatalogColumn, JsonObject>> = {
  name: { type: 'string', description: 'Name of the column.' },
  label: { type: 'string', description: 'Short name for headers.' },
  family: {
    type: 'string',
    description: 'For the indicators of every row: a title for those that differ in their length only.',
  },
  ...METADATA_FIELDS,
};

/** A column in the catalogue of datasets: its names, and the same facts. */
export function catalogColumnSchema(): JsonObject {
  const optional = ['label', 'family', ...OF_SOME_COLUMNS] satisfies (keyof CatalogColumn)[];
  return { ...exactly(CATALOG_FIELDS, optional), description: 'A column of a dataset.' };
}
