// A query string to a checked plan, or an error that names the parameter and says what would be right.

import { tickerKey } from '../domain/asset-state.ts';
import type { Dataset } from '../domain/datasets.ts';
import { ApiError } from '../errors.ts';
import { foldForSearch } from '../snapshot/search-index.ts';
import { type Names, namesOf } from './names.ts';
import { filterText, normaliseFilters } from './normalise-filters.ts';
import { type ParameterName, parameterFacts } from './parameters.ts';
import { parseAssetChoice, parseDays } from './parse-days-of-asset.ts';
import { FilterReader } from './parse-filters.ts';
import { listItems, parseChoice, parseInteger, parseList } from './parse-values.ts';
import type { Plan } from './plan.ts';
import { encodePair, splitQuery } from './split-query.ts';

/** The links have their own of these, and never the key. */
const NOT_IN_REST: ReadonlySet<string> = new Set<ParameterName>(['limit', 'sort', 'order', 'page', 'api_key']);

/** `query` is what follows the `?`, not decoded, as `node:http` hands it over. */
export function parsePlan(dataset: Dataset, query: string): Plan {
  const names = namesOf(dataset);
  const given = new Map<ParameterName, string>();
  const filters = new FilterReader(names);
  const rest: string[] = [];
  for (const pair of splitQuery(query)) {
    const parameter = filters.readsAsNotNull(pair) ? undefined : names.parameter(pair.name);
    if (parameter === undefined) {
      if (!filters.readPair(pair)) throw names.unknownParameter(pair.name);
    } else {
      take(names, parameter, pair.value ?? '', given, filters);
    }
    if (!NOT_IN_REST.has(pair.name)) rest.push(encodePair(pair));
  }
  return checkedPlan(names, given, filters, rest.join('&'));
}

function take(
  { dataset }: Names,
  name: ParameterName,
  value: string,
  given: Map<ParameterName, string>,
  filters: FilterReader,
): void {
  switch (name) {
    case 'range':
      filters.readRanges(value);
      break;
    case 'comparison':
      filters.readComparisons(value);
      break;
    case 'not_null':
      filters.readNotNull(value);
      break;
    default:
      if (given.has(name)) throw givenTwice(name, parameterFacts(dataset, name).takes);
      given.set(name, value);
  }
}

function checkedPlan(
  names: Names,
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
  const excluded = new Set(read('excl_cols', listItems));
  const asked = {
    sort,
    order: read('order', text => parseChoice('order', text, ['asc', 'desc'])) ?? dataset.defaultOrder,
    columns: [...dataset.columns.keys()].filter(index => !excluded.has(dataset.columns[index]!.name)),
    format: read('format', text => parseChoice('format', text, ['json', 'csv'])),
    meta: read('meta', text => parseChoice('meta', text, ['true', 'false'])) === 'true',
    filters: normaliseFilters([...filters.finish(sort), ...parseDays(dataset, given)]),
    symbols: dataset.ofOneAsset ? null : read('symbol', parseSymbols),
    asset: dataset.ofOneAsset ? parseAssetChoice(given) : null,
    minHistory: integer('min_history'),
    search: read('q', text => foldForSearch(text).trim() || null),
  };
  return {
    dataset,
    limit: integer('limit'),
    page: integer('page') ?? 1,
    ...asked,
    apiKey: given.get('api_key') ?? null,
    // JSON keeps every list and text apart from its neighbours.
    canonical: JSON.stringify([dataset.name, ...Object.values({ ...asked, filters: asked.filters.map(filterText) })]),
    rest,
  };
}

function parseSymbols(text: string): string[] {
  return [...new Set(parseList('symbol', text).map(tickerKey))].sort();
}

function givenTwice(name: ParameterName, takes: string): ApiError {
  return new ApiError('duplicate_parameter', `${name} is given more than once.`, {
    param: name,
    hint: `${name} takes ${takes}, once.`,
  });
}
