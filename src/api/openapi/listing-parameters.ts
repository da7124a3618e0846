// The OpenAPI parameters of a dataset, from the tables of parameters, operators and columns.

import { COLUMN_GROUPS, type Column, isOptional } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { FORMAT_NAMES } from '../../domain/formats.ts';

import { TIERS } from '../../domain/tiers.ts';
import { OPERATORS } from '../../query/operators.ts';
import { type ParameterName, parameterFacts, parametersOf } from '../../query/parameters.ts';
import { intervalsOf } from '../../query/parse/parse-plan.ts';
import { MAX_BINS } from '../../query/statistics/statistics.ts';
import { type JsonObject, ref } from '../json-schema.ts';
import { TIME_SCHEMA } from '../parameters.ts';
import { CALC_NAME } from './column-schemas.ts';

/** Comma-separated in one value; `repeated` parameters may be given several times, each with a list. */
interface ListShape {
  readonly items: JsonObject;
  readonly repeated?: true;
}

interface ParameterShape {
  readonly schema?: (dataset: Dataset) => JsonObject;
  /** Null if it is not a list there. */
  readonly list?: (dataset: Dataset) => ListShape | null;
}

const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?';
const RANGE = `(?:${NUMBER}(?::(?:${NUMBER})?)?|:${NUMBER})`;
const COLUMN = '(?:\\[[A-Za-z0-9_]+\\]|[A-Za-z0-9_]+)';
const OPERATOR = `(?:${Object.keys(OPERATORS).join('|')})`;

const text = (): JsonObject => ({ type: 'string' });
const positive = (): JsonObject => ({ type: 'integer', minimum: 1 });
const choice = (...choices: string[]): JsonObject => ({ type: 'string', enum: choices });
const FLAGS = ['true', 'false', '1', '0'];
const columnNames = (dataset: Dataset): string[] => dataset.columns.map(column => column.name);
/** A column of the dataset, another choice, or a computed column. */
const columnName = (dataset: Dataset, ...others: string[]): JsonObject => ({
  type: 'string',
  anyOf: [
    { enum: [...columnNames(dataset), ...others] },
    { pattern: CALC_NAME, description: 'A `calc` column of the request.' },
  ],
});

/** An ISO 8601 day, or a time of it in UTC. */

/** Without `api_key`: the document has the header `X-API-Key` for it. */
const SHAPES: Readonly<Record<Exclude<ParameterName, 'api_key'>, ParameterShape>> = {
  limit: { schema: positive },
  page: { schema: () => ({ ...positive(), default: 1 }) },
  sort: { schema: dataset => ({ ...columnName(dataset), default: dataset.defaultSort }) },
  order: { schema: dataset => ({ ...choice('asc', 'desc'), default: dataset.defaultOrder }) },
  incl_cols: {
    list: dataset => ({
      items: choice(
        ...dataset.columns.filter(isOptional).map(({ name }) => name),
        ...Object.keys(COLUMN_GROUPS),
        'all',
      ),
    }),
  },
  excl_cols: { list: () => ({ items: { type: 'string', pattern: '^(?:\\w+|\\[\\w+\\])$' } }) },
  format: { schema: ({ isStreamed }) => choice(...FORMAT_NAMES, ...(isStreamed ? ['sse'] : [])) },
  meta: { schema: () => ({ ...choice(...FLAGS), default: 'false' }) },
  range: { list: () => ({ items: { type: 'string', pattern: `^(?:${COLUMN}:)?${RANGE}$` }, repeated: true }) },
  comparison: {
    list: () => ({ items: { type: 'string', pattern: `^${COLUMN}${OPERATOR}:${COLUMN}$` }, repeated: true }),
  },
  not_null: { list: dataset => ({ items: columnName(dataset, 'true', 'false') }) },
  where: { schema: text },
  calc: { list: () => ({ items: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,31}:.*\\S' }, repeated: true }) },
  tag: { list: () => ({ items: text(), repeated: true }) },
  type: { list: () => ({ items: text(), repeated: true }) },
  symbol: { schema: text, list: ({ ofOneAsset }) => (ofOneAsset ? null : { items: text() }) },
  id: { schema: text },
  from: { schema: () => TIME_SCHEMA },
  to: { schema: () => TIME_SCHEMA },
  inactive: { schema: () => ({ ...choice(...FLAGS), default: 'false' }) },
  as_of: { schema: () => TIME_SCHEMA },
  interval: { schema: dataset => ({ ...choice(...intervalsOf(dataset)), default: '1d' }) },
  quote: { schema: () => ({ ...text(), default: 'USD', examples: ['USD', 'EUR', 'BTC'] }) },
  source: { schema: text },
  adjusted: { schema: () => choice(...FLAGS) },
  min_history: { schema: positive },
  q: { schema: text },
  cols: {
    list: dataset => ({ items: { type: 'string', examples: columnNames(dataset).slice(2, 4) }, repeated: true }),
  },
  bins: { schema: () => ({ ...positive(), maximum: MAX_BINS }) },
};

/** The parameters of `endpoint`, with the columns of `dataset`. */
export function listingParameters(dataset: Dataset, endpoint: Dataset = dataset): JsonObject[] {
  const named = parametersOf(endpoint).filter(name => name !== 'api_key');
  const isNamed = (column: Column) => named.some(name => name === column.name);
  return [
    ...named.map(name => namedParameter(name, dataset)),
    ...dataset.columns.filter(isNumeric).map(column => columnFilter(column, 'NumberFilter')),
    ...dataset.columns
      .filter(column => column.nullable && !isNumeric(column) && !isNamed(column))
      .map(column => columnFilter(column, 'NotNullFilter')),
    ...dataset.columns.filter(({ type }) => type === 'boolean').map(column => columnFilter(column, 'FlagFilter')),
  ];
}

function namedParameter(name: Exclude<ParameterName, 'api_key'>, dataset: Dataset): JsonObject {
  const description = `${parameterText(dataset, name)} Takes ${parameterFacts(dataset, name).takes}.`;
  const { schema, list } = SHAPES[name];
  const listed = list?.(dataset) ?? null;
  if (listed === null) return { name, in: 'query', description, schema: schema?.(dataset) };
  const { items, repeated = false } = listed;
  return { name, in: 'query', description, explode: repeated, schema: { type: 'array', items } };
}

/** The table's text, completed from other tables. */
function parameterText(dataset: Dataset, name: ParameterName): string {
  const { doc } = parameterFacts(dataset, name);
  if (name === 'limit') return `${doc} ${tierText()}`;
  if (name === 'comparison') return `${doc} ${operatorText()}`;
  return doc;
}

function tierText(): string {
  const tiers = Object.values(TIERS).map(
    ({ name, defaultRows, maxRows }) => `${name} ${defaultRows}, at most ${maxRows}`,
  );
  return `Without it, by tier: ${tiers.join('; ')}.`;
}

function operatorText(): string {
  const operators = Object.entries(OPERATORS).map(([operator, { words }]) => `\`${operator}\` ${words}`);
  return `Operators: ${operators.join(', ')}.`;
}

export function isNumeric(column: Column): boolean {
  return column.type === 'number' || column.type === 'integer';
}

/** Short, because the schemas of the row and of the filter describe the rest. */
function columnFilter(column: Column, filter: keyof typeof FILTER_SCHEMAS): JsonObject {
  const unit = column.unit === null ? '' : `, in ${column.unit}`;
  const condition = { NumberFilter: `lies in the range${unit}`, NotNullFilter: 'is not null', FlagFilter: 'is this' }[
    filter
  ];
  const description = `Only rows in which ${column.name} ${condition}.`;
  return { name: column.name, in: 'query', description, schema: ref('schemas', filter) };
}

export const FILTER_SCHEMAS = {
  NumberFilter: {
    type: 'string',
    description:
      '`low:high`, `low:` or `:high` with both ends included, one number for equality, or `not_null`. ' +
      'Numbers are written as in JSON.',
    pattern: `^(?:${RANGE}|not_null)$`,
    examples: ['10:100', '10:', ':100', '42', 'not_null'],
  },
  NotNullFilter: { type: 'string', const: 'not_null' },
  FlagFilter: { type: 'string', enum: FLAGS },
} as const satisfies JsonObject;
