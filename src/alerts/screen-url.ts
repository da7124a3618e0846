// The URL of the explorer's screen with an alert's query. The explorer reads conditions as one expression, so that ranges, comparisons and
// not-null filters are written as parts of `where`.

import { namesOf } from '../query/names.ts';
import { FilterReader } from '../query/parse/parse-filters.ts';
import { splitPairs } from '../query/parse/parse-plan.ts';
import type { Filter, Plan } from '../query/parse/plan.ts';

/** Parameters of the listing that the explorer's address has, by their name there. */
const IN_ADDRESS: Readonly<Record<string, string>> = {
  calc: 'calc',
  tag: 'tag',
  type: 'type',
  symbol: 'symbols',
  min_history: 'min_history',
  sort: 'sort',
  order: 'order',
  interval: 'interval',
  quote: 'quote',
};

/** Empty if the address of the service is not known. `plan` is that of the query. */
export function screenUrl(base: string, query: string, plan: Plan): string {
  if (base === '') return '';
  const names = namesOf(plan.dataset);
  const reader = new FilterReader(names);
  const conditions: string[] = [];
  const values = new Map<string, string[]>();
  for (const { name, value } of splitPairs(plan.dataset, query.replace(/^\?/, ''))) {
    const text = value ?? '';
    if (reader.readsAsNotNull({ name, value }) || names.parameter(name) === undefined) reader.readPair({ name, value });
    else if (name === 'range') reader.readRanges(text);
    else if (name === 'comparison') reader.readComparisons(text);
    else if (name === 'not_null') reader.readNotNull(text);
    else if (name === 'where') conditions.push(text);
    else if (IN_ADDRESS[name] !== undefined) values.set(name, [...(values.get(name) ?? []), text]);
  }
  conditions.push(...reader.finish(plan.sort).map(filter => conditionText(filter, plan)));
  const where = conditions.length < 2 ? conditions : [conditions.map(text => `(${text})`).join(' and ')];
  const pairs = [
    ...[...values].flatMap(([name, texts]) =>
      // Every other list is one value in the explorer's address.
      (name === 'calc' ? texts : [texts.join()]).map(text => [IN_ADDRESS[name]!, text] as const),
    ),
    ...where.map(text => ['where', text] as const),
  ];
  const search = pairs.map(([name, text]) => `${name}=${encode(text)}`).join('&');
  return `${base.replace(/\/+$/, '')}/${search === '' ? '' : `?${search}`}`;
}

function conditionText(filter: Filter, { dataset }: Plan): string {
  const name = (column: number) => dataset.columns[column]!.name;
  switch (filter.kind) {
    case 'not_null':
      return `${name(filter.column)} is not null`;
    case 'comparison':
      return `${name(filter.left)} ${filter.operator} ${name(filter.right)}`;
    case 'range': {
      const { low, high } = filter;
      if (low === high) return `${name(filter.column)} = ${low}`;
      const ends = [low === -Infinity ? [] : `>= ${low}`, high === Infinity ? [] : `<= ${high}`].flat();
      return ends.map(end => `${name(filter.column)} ${end}`).join(' and ');
    }
  }
}

/** Parentheses too: chats end a link at one. Colons and commas stay, as in the explorer's own addresses. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replace(/[()'*!]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
