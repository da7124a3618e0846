// Parses a query string into a checked plan, or throws an error that names the parameter and says what it accepts.

import { MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../../domain/asset.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { hasNoPast } from '../../domain/columns.ts';
import { BARS, type Dataset } from '../../domain/datasets.ts';
import { FORMAT_NAMES } from '../../domain/formats.ts';
import {
  INTERVALS,
  type Interval,
  LISTED_INTERVALS,
  lastPeriodOfTime,
  type Period,
  parseTime,
} from '../../domain/interval.ts';
import { DOLLAR } from '../../domain/quote.ts';
import { ApiError } from '../../errors.ts';
import { foldForSearch } from '../../snapshot/columns/texts.ts';
import { foldText } from '../expression/nodes.ts';
import { type Names, namesOf } from '../names.ts';
import { type ParameterName, parameterFacts } from '../parameters.ts';
import { filterText } from './normalise-filters.ts';
import { parseAssetChoice, parsePeriods } from './parse-days-of-asset.ts';
import { FilterReader } from './parse-filters.ts';
import {
  invalidValue,
  listItems,
  parseChoice,
  parseColumnNames,
  parseFlag,
  parseInteger,
  parseList,
} from './parse-values.ts';
import type { Plan } from './plan.ts';
import { RequestExpressions } from './request-expressions.ts';
import { intersection } from './split-conditions.ts';
import { encodePair, type Pair, requireShortQuery, splitPairs } from './split-query.ts';
import { type Use, usesColumn, usesOptional } from './used-columns.ts';

/** Links write these themselves, and never the API key. */
const NOT_IN_REST: ReadonlySet<string> = new Set<ParameterName>(['limit', 'sort', 'order', 'page', 'api_key']);

/** Letters of a source's name: more than any has. */
const MAX_SOURCE = 100;

/** `query` is what follows the `?`, not decoded, as `node:http` hands it over. */
export function parsePlan(dataset: Dataset, query: string): Plan {
  return planOf(dataset, splitPairs(dataset, query));
}

export function planOf(dataset: Dataset, pairs: readonly Pair[]): Plan {
  // The other parameters may name the calc columns, wherever these stand.
  const calcs = pairs.filter(({ name }) => name === 'calc').map(({ value }) => value ?? '');
  // Times in expressions are periods of it.
  const interval = intervalOf(dataset, pairs);
  const expressions = new RequestExpressions(dataset, calcs, interval);
  const names = namesOf(expressions.dataset);
  const { given, filters } = readPairs(expressions.dataset, pairs);
  const rest = pairs
    .filter(({ name }) => !NOT_IN_REST.has(name))
    .map(encodePair)
    .join('&');
  requireShortQuery(rest.length);
  const texts = new Map([...given].map(([name, values]) => [name, values.join()]));
  return checkedPlan(names, expressions, interval, texts, filters, rest);
}

/** The parameters with their values, which are not parsed yet, and what filters rows by a column. */
export function readPairs(dataset: Dataset, pairs: readonly Pair[]) {
  const names = namesOf(dataset);
  const given = new Map<ParameterName, string[]>();
  const filters = new FilterReader(names);
  for (const pair of pairs) {
    const parameter = filters.readsAsNotNull(pair) ? undefined : names.parameter(pair.name);
    const value = pair.value ?? '';
    if (parameter === undefined) {
      if (!filters.readPair(pair)) throw names.unknownParameter(pair.name);
    } else if (!filters.readParameter(parameter, value)) {
      const { repeatable, takes } = parameterFacts(dataset, parameter);
      if (given.has(parameter) && !repeatable) throw givenTwice(parameter, takes);
      given.set(parameter, [...(given.get(parameter) ?? []), value]);
    }
  }
  return { given, filters };
}

function checkedPlan(
  names: Names,
  expressions: RequestExpressions,
  interval: Interval,
  given: ReadonlyMap<ParameterName, string>,
  filters: FilterReader,
  rest: string,
): Plan {
  const { dataset } = names;
  const read = <T>(name: ParameterName, parse: (text: string) => T): T | null => {
    const text = given.get(name);
    return text === undefined ? null : parse(text);
  };
  const integer = (name: ParameterName) => read(name, text => parseInteger(name, text));

  const sort = names.requireExactColumn(given.get('sort') ?? dataset.defaultSort, 'sort');
  const excluded = read('excl_cols', parseColumnNames);
  const included = read('incl_cols', text => names.includedColumns(listItems(text)));
  const columns =
    excluded === null && included === null
      ? names.defaultColumns
      : chosenColumns(names, new Set(excluded), included ?? []);
  const hasDefaultColumns = columns === names.defaultColumns;
  const list = (name: 'tag' | 'type') =>
    read(name, text => [...new Set(parseList(name, text).map(foldText))].sort()) ?? [];
  const selection = expressions.select([...filters.finish(sort), ...parsePeriods(dataset, interval, given)], {
    where: given.get('where') ?? null,
    tags: list('tag'),
    types: list('type'),
  });
  const symbols = dataset.ofOneAsset ? null : read('symbol', parseSymbols);
  const source = read('source', parseSource);
  const adjusted = read('adjusted', text => parseFlag('adjusted', text)) ?? true;
  const asked = {
    sort,
    order: read('order', text => parseChoice('order', text, ['asc', 'desc'])) ?? dataset.defaultOrder,
    columns,
    format: read('format', text =>
      parseChoice(
        'format',
        text,
        dataset.isStreamed ? [...FORMAT_NAMES, 'sse'] : FORMAT_NAMES,
        parameterFacts(dataset, 'format').takes,
      ),
    ),
    meta: read('meta', text => parseFlag('meta', text)) === true,
    ...selection,
    symbols: selection.symbols === null ? symbols : intersection(symbols, selection.symbols),
    asset: dataset.ofOneAsset ? parseAssetChoice(given) : null,
    interval,
    asOf: read('as_of', text => parseAsOf(interval, text)),
    inactive: read('inactive', text => parseFlag('inactive', text)) === true,
    minHistory: integer('min_history'),
    search: read('q', text => foldForSearch(text).trim() || null),
    ...(source === null ? {} : { source }),
    ...(adjusted ? {} : { adjusted }),
  };
  const quote = read('quote', parseQuote);
  if (asked.asOf !== null) requirePast(dataset, [sort, asked.filters, expressions.computed, asked.where?.node]);
  return {
    dataset,
    computed: expressions.computed,
    lags: expressions.lags,
    sortInLinks: { sort: dataset.columns[sort]!.name, order: asked.order },
    limit: integer('limit'),
    page: integer('page') ?? 1,
    ...asked,
    quote,
    unit: null,
    apiKey: given.get('api_key') ?? null,
    usesOptional: usesOptional(dataset, [
      hasDefaultColumns ? [] : columns,
      sort,
      asked.filters,
      expressions.computed,
      asked.where?.node,
    ]),
    // JSON separates each list and text from the next one.
    canonical: JSON.stringify([
      dataset.name,
      ...Object.values({
        ...asked,
        columns: hasDefaultColumns ? 'default' : columns,
        filters: asked.filters.map(filterText),
        where: asked.where?.key,
        calc: expressions.formulas,
        ...(quote === null ? {} : { quote }),
      }),
    ]),
    rest,
  };
}

/** As loads name them, and as the sources of an older store may be named. */
function parseSource(text: string): string {
  const name = text.trim().toLowerCase();
  if (name === '' || name.length > MAX_SOURCE) throw invalidValue('source', text);
  return name;
}

/** In the order of the dataset. */
function chosenColumns(
  { dataset, defaultColumns }: Names,
  excluded: ReadonlySet<string>,
  included: readonly number[],
): readonly number[] {
  const shown = [...new Set([...defaultColumns, ...included])].filter(
    index => !excluded.has(dataset.columns[index]!.name),
  );
  return shown.join() === defaultColumns.join() ? defaultColumns : shown.sort((a, b) => a - b);
}

/** A past day has no values of some columns: a filter by one would return no rows, and a sort by one an arbitrary order. */
function requirePast(dataset: Dataset, uses: Use): void {
  const column = dataset.columns.find(each => hasNoPast(each) && usesColumn(dataset, uses, used => used === each));
  if (column === undefined) return;
  throw new ApiError('no_past_values', `${column.name} has current values only: with as_of it is null.`, {
    param: 'as_of',
    hint: `Remove as_of, or filter and sort by another column instead of ${column.name}.`,
  });
}

function parseAsOf(interval: Interval, text: string): Period {
  const time = parseTime(text.trim());
  // Nothing is older than the first period.
  const period = time && lastPeriodOfTime(interval, time.millis < 0 ? EPOCH : time);
  if (period === null) throw invalidValue('as_of', text);
  return period;
}

const EPOCH = { millis: 0, isDay: false };

/** Only bars have months. */
export function intervalsOf({ name }: Dataset): readonly Interval[] {
  return name === BARS.name ? INTERVALS : LISTED_INTERVALS;
}

/** Two of them are refused where all parameters are read. */
function intervalOf(dataset: Dataset, pairs: readonly Pair[]): Interval {
  const text = pairs.find(({ name }) => name === 'interval')?.value;
  if (text === undefined || text === null || !dataset.extraParameters.includes('interval'))
    return dataset.timesIn ?? '1d';
  return parseChoice('interval', text, intervalsOf(dataset), parameterFacts(dataset, 'interval').takes);
}

/** Null for dollars. */
export function parseQuote(text: string): string | null {
  const name = text.trim();
  if (name === '' || name.length > MAX_QUOTE_LENGTH) throw invalidValue('quote', text);
  const key = tickerKey(name);
  if (key === DOLLAR) return null;
  // An id has lower case: STRASSE is not that of straße.
  return key.toLowerCase() === name.toLowerCase() ? key : name;
}

/** Of the longest id. */
const MAX_QUOTE_LENGTH = MAX_SYMBOL_LENGTH + MAX_NAME_LENGTH + 1;

function parseSymbols(text: string): string[] {
  return [...new Set(parseList('symbol', text).map(tickerKey))].sort();
}

function givenTwice(name: ParameterName, takes: string): ApiError {
  return new ApiError('duplicate_parameter', `${name} is given more than once.`, {
    param: name,
    hint: `${name} takes ${takes}, once.`,
  });
}
