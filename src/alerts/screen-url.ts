// The URL of the explorer's screen with an alert's query. The explorer reads conditions as one expression, so that ranges, comparisons and
// not-null filters are written as parts of `where`.

import { readPairs } from '../query/parse/parse-plan.ts';
import type { Filter, Plan } from '../query/parse/plan.ts';
import { splitPairs } from '../query/parse/split-query.ts';

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
  const pairs = splitPairs(plan.dataset, query.replace(/^\?/, ''));
  const { given, filters } = readPairs(plan.dataset, pairs);
  const conditions = [
    ...(given.get('where') ?? []),
    ...filters.finish(plan.sort).map(filter => conditionText(filter, plan)),
  ];
  const where = conditions.length < 2 ? conditions : [conditions.map(text => `(${text})`).join(' and ')];
  const parameters = [
    ...[...given].flatMap(([name, texts]) => {
      const inAddress = IN_ADDRESS[name];
      if (inAddress === undefined) return [];
      // Every other list is one value in the explorer's address.
      return (name === 'calc' ? texts : [texts.join()]).map(text => [inAddress, text] as const);
    }),
    ...where.map(text => ['where', text] as const),
  ];
  const search = parameters.map(([name, text]) => `${name}=${encode(text)}`).join('&');
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
