// Random requests: what is meant, and a query string that says so in one of the many forms that clients send.

import type { Dataset } from '../../../src/domain/datasets.ts';
import { OPERATORS } from '../../../src/query/operators.ts';
import type { Chance } from './chance.ts';
import type { PlainRow } from './plain-table.ts';
import { NUMBERS } from './random-rows.ts';
import type { Meaning } from './reference.ts';

export interface Request {
  readonly meaning: Meaning;
  readonly query: string;
}

export function randomRequest(dataset: Dataset, rows: readonly PlainRow[], chance: Chance): Request {
  const meaning = randomMeaning(dataset, rows, chance);
  return { meaning, query: chance.shuffled(spelled(meaning, chance)).join('&') };
}

function randomMeaning(dataset: Dataset, rows: readonly PlainRow[], chance: Chance): Meaning {
  const names = dataset.columns.map(({ name }) => name);
  const numeric = dataset.columns.filter(({ type }) => type === 'number' || type === 'integer').map(({ name }) => name);
  const optional = <T>(probability: number, make: () => T) => (chance.happens(probability) ? make() : null);
  const ticker = () => (rows.length === 0 ? 'BTC' : String(chance.pick(rows).cells['symbol']));
  const limit = chance.happens(0.2) ? 1 + chance.below(rows.length + 2) : 1 + chance.below(12);
  return {
    dataset,
    limit,
    page: chance.happens(0.5) ? 1 : 1 + chance.below(Math.ceil(rows.length / limit) + 2),
    sort: chance.pick(numeric.length === 0 || chance.happens(0.5) ? names : numeric),
    order: chance.pick(['asc', 'desc']),
    included: dataset.extraParameters.includes('incl_cols') && chance.happens(0.3) ? chance.some(names, 4) : [],
    excluded: chance.some([...names, 'close'], 3),
    ranges: chance.happens(0.5) ? chance.some(numeric, 2).map(column => randomRange(column, chance)) : [],
    comparisons: chance.happens(0.3)
      ? chance
          .some(numeric, 2)
          .map(left => ({ left, operator: chance.pick(Object.keys(OPERATORS)), right: chance.pick(numeric) }))
      : [],
    notNull: chance.happens(0.2) ? chance.some(names, 2) : [],
    notNullFlag: chance.happens(0.15),
    // A comma separates tickers, so one that has a comma cannot be asked for.
    symbols: dataset.ofOneAsset
      ? null
      : optional(0.1, () => ['none', ...Array.from({ length: 4 }, ticker).filter(symbol => !symbol.includes(','))]),
    asset: dataset.ofOneAsset
      ? chance.pick([{ by: 'symbol', text: 'btc' } as const, { by: 'id', text: 'btc-bitcoin' } as const])
      : null,
    ...(dataset.extraParameters.includes('from') ? randomDays(rows, chance) : { from: null, to: null }),
    minHistory: dataset.extraParameters.includes('min_history') ? optional(0.15, () => 1 + chance.below(420)) : null,
    search: dataset.extraParameters.includes('q')
      ? optional(0.3, () =>
          chance.pick(['bit', 'BITCOIN', 'c', '-1', 'full', 'ß', 'fine', '币', '😀', 'n c', 'zz', ' Eth', 'a\nb']),
        )
      : null,
  };
}

function randomDays(rows: readonly PlainRow[], chance: Chance): Pick<Meaning, 'from' | 'to'> {
  const day = () => (rows.length === 0 ? '2026-01-01' : String(chance.pick(rows).cells['datetimeUTC']).slice(0, 10));
  const [a, b] = [day(), day()].sort();
  return { from: chance.happens(0.3) ? a! : null, to: chance.happens(0.3) ? b! : null };
}

function randomRange(column: string, chance: Chance): Meaning['ranges'][number] {
  const end = () => (chance.happens(0.3) ? chance.pick(NUMBERS) : chance.below(100));
  const [a, b] = [end(), end()];
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  return chance.pick([
    { column, low, high },
    { column, low, high: null },
    { column, low: null, high },
    { column, low, high: low },
  ]);
}

function spelled(meaning: Meaning, chance: Chance): string[] {
  const { dataset, symbols } = meaning;
  const pairs = [`limit=${meaning.limit}`];
  if (meaning.page !== 1 || chance.happens(0.5)) pairs.push(`page=${meaning.page}`);
  if (meaning.sort !== dataset.defaultSort || chance.happens(0.5)) pairs.push(`sort=${meaning.sort}`);
  if (meaning.order !== dataset.defaultOrder || chance.happens(0.5)) pairs.push(`order=${meaning.order}`);
  if (meaning.included.length > 0) pairs.push(`incl_cols=${maybeEncoded(meaning.included.join(','), chance)}`);
  if (meaning.excluded.length > 0) pairs.push(`excl_cols=${maybeEncoded(meaning.excluded.join(','), chance)}`);
  for (const range of meaning.ranges) pairs.push(spelledRange(range, meaning.sort, chance));
  for (const comparison of meaning.comparisons) pairs.push(spelledComparison(comparison, chance));
  pairs.push(...spelledNotNull(meaning, chance));
  if (symbols !== null)
    pairs.push(`symbol=${encodeURIComponent(symbols.map(text => anyCase(text, chance)).join(','))}`);
  if (meaning.asset !== null) pairs.push(`${meaning.asset.by}=${anyCase(meaning.asset.text, chance)}`);
  for (const name of ['from', 'to'] as const) {
    const day = meaning[name];
    const time = chance.pick(['', 'T00:00:00.000Z', 'T23:59:59Z', '+12:34', 'T06:30']);
    if (day !== null) pairs.push(`${name}=${maybeEncoded(day, chance)}${time}`);
  }
  if (meaning.minHistory !== null) pairs.push(`min_history=${meaning.minHistory}`);
  if (meaning.search !== null) pairs.push(`q=${encodeURIComponent(meaning.search).replaceAll('%20', '+')}`);
  if (chance.happens(0.1)) pairs.push('');
  return pairs;
}

function spelledRange({ column, low, high }: Meaning['ranges'][number], sort: string, chance: Chance): string {
  const [from, to] = [numberText(low, chance), numberText(high, chance)];
  const bounds = low !== null && low === high && chance.happens(0.5) ? from : `${from}:${to}`;
  return chance.pick([
    `${column}=${bounds}`,
    `[${column}]=${maybeEncoded(bounds, chance)}`,
    `%5B${column}%5d=${bounds}`,
    encodeURIComponent(`[${column}]=${bounds}`),
    `range=${maybeEncoded(`${column}:${bounds}`, chance)}`,
    `range=[${column}]:${bounds},`,
    column === sort ? `range=${bounds}` : `range=${column}:${bounds}`,
  ]);
}

function numberText(value: number | null, chance: Chance): string {
  if (value === null) return '';
  const text = chance.happens(0.3) ? value.toExponential() : String(value);
  return text.replace('+', chance.pick(['+', '']));
}

function spelledComparison({ left, operator, right }: Meaning['comparisons'][number], chance: Chance): string {
  const text = `[${left}]${operator}:[${right}]`;
  const encodedName = encodeURIComponent(`[${left}]${operator.replace(/=$/, '')}`);
  const asPair = operator.endsWith('=')
    ? `${encodedName}=${encodeURIComponent(`:[${right}]`)}`
    : encodeURIComponent(text);
  return chance.pick([
    text,
    encodeURIComponent(text),
    `${encodeURIComponent(text)}=`,
    asPair,
    text.replaceAll('[', '%5B').replaceAll(']', '%5D'),
    text.replaceAll('>', '%3E').replaceAll('<', '%3c'),
    `${left}${operator}:${right}`,
    `[${left}]+${operator}+:+[${right}]`,
    `comparison=${maybeEncoded(text, chance)}`,
    `comparison=${left}${operator}:${right},${text}`,
  ]);
}

function spelledNotNull({ notNull, notNullFlag }: Meaning, chance: Chance): string[] {
  const pairs = notNullFlag ? [chance.pick(['not_null', 'not_null=', 'not_null=true'])] : [];
  if (notNull.length === 0) return pairs;
  if (chance.happens(0.5)) return [...pairs, `not_null=${maybeEncoded(notNull.join(','), chance)}`];
  return [...pairs, ...notNull.map(name => chance.pick([`${name}=not_null`, `[${name}]=not_null`]))];
}

function maybeEncoded(text: string, chance: Chance): string {
  return chance.happens(0.5) ? encodeURIComponent(text) : text;
}

function anyCase(text: string, chance: Chance): string {
  return chance.pick([text, text.toLowerCase(), text.toUpperCase()]);
}
