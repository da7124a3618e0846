// Makes a failing request smaller as long as it still fails: parts are left out, expressions replaced by their parts.

import type { ConditionTree, NumberTree } from './expressions.ts';
import type { Request } from './requests.ts';

/** Requests that are tried at most. */
const TRIES = 600;

export async function shrunk(request: Request, fails: (smaller: Request) => Promise<boolean>): Promise<Request> {
  let smallest = request;
  let tries = 0;
  const next = async (): Promise<Request | null> => {
    for (const candidate of smaller(smallest)) {
      if (++tries > TRIES) return null;
      if (await fails(candidate)) return candidate;
    }
    return null;
  };
  for (let found = await next(); found !== null; found = await next()) smallest = found;
  return smallest;
}

function* smaller(request: Request): Generator<Request> {
  if (request.spelling !== 0) yield { ...request, spelling: 0 };
  for (const name of LISTS) {
    const items: readonly unknown[] | null = request[name];
    if (items === null || items.length === 0) continue;
    yield { ...request, [name]: NULLABLE.has(name) ? null : [] };
    if (items.length > 1) for (const item of items) yield { ...request, [name]: items.filter(other => other !== item) };
  }
  for (const name of ['where', 'minHistory', 'search', 'from', 'to', 'sort', 'order'] as const) {
    if (request[name] !== null) yield { ...request, [name]: null };
  }
  if (request.notNullFlag) yield { ...request, notNullFlag: false };
  const { view, answered } = request;
  if (view.asOf !== null) yield { ...request, view: { ...view, asOf: null } };
  if (view.quote !== null) yield { ...request, view: { ...view, quote: null } };
  if (view.interval !== null) yield { ...request, view: { ...view, interval: null } };
  if (view.inactive) yield { ...request, view: { ...view, inactive: false } };
  if (answered.kind === 'stats') {
    if (answered.bins !== null) yield { ...request, answered: { ...answered, bins: null } };
    for (const column of answered.columns) yield { ...request, answered: { ...answered, columns: [column] } };
  }
  if (request.page > 1) yield { ...request, page: 1 };
  for (const limit of [1, 10, 1000]) if (limit < request.limit) yield { ...request, limit };
  if (request.where !== null) for (const where of smallerConditions(request.where)) yield { ...request, where };
  for (const [i, { name, value }] of request.calcs.entries()) {
    for (const less of smallerNumbers(value)) {
      yield { ...request, calcs: request.calcs.with(i, { name, value: less }) };
    }
  }
}

const LISTS = [
  ...(['calcs', 'ranges', 'comparisons', 'notNull', 'flags', 'included', 'excluded'] as const),
  ...(['symbols', 'tags', 'types'] as const),
] as const;
const NULLABLE: ReadonlySet<string> = new Set(['symbols', 'tags', 'types']);

function* smallerConditions(tree: ConditionTree): Generator<ConditionTree> {
  switch (tree.kind) {
    case 'and':
    case 'or':
      yield tree.left;
      yield tree.right;
      for (const left of smallerConditions(tree.left)) yield { ...tree, left };
      for (const right of smallerConditions(tree.right)) yield { ...tree, right };
      break;
    case 'not':
      yield tree.of;
      for (const of of smallerConditions(tree.of)) yield { ...tree, of };
      break;
    case 'compare':
    case 'crosses':
      for (const left of smallerNumbers(tree.left)) yield { ...tree, left };
      for (const right of smallerNumbers(tree.right)) yield { ...tree, right };
      break;
    case 'between':
      if (tree.not) yield { ...tree, not: false };
      for (const of of smallerNumbers(tree.of)) yield { ...tree, of };
      for (const low of smallerNumbers(tree.low)) yield { ...tree, low };
      for (const high of smallerNumbers(tree.high)) yield { ...tree, high };
      break;
    case 'in':
      if (tree.not) yield { ...tree, not: false };
      for (const item of tree.items) if (tree.items.length > 1) yield { ...tree, items: [item] };
      for (const of of smallerNumbers(tree.of)) yield { ...tree, of };
      break;
    case 'is null':
      for (const of of smallerNumbers(tree.of)) yield { ...tree, of };
      break;
    case 'text in':
      if (tree.values.length > 1) for (const value of tree.values) yield { ...tree, values: [value] };
      break;
    default:
  }
}

function* smallerNumbers(tree: NumberTree): Generator<NumberTree> {
  switch (tree.kind) {
    case 'lag':
    case 'negate':
      yield tree.of;
      for (const of of smallerNumbers(tree.of)) yield { ...tree, of };
      break;
    case 'call':
      yield* tree.of;
      for (const [i, each] of tree.of.entries()) {
        for (const less of smallerNumbers(each)) yield { ...tree, of: tree.of.with(i, less) };
      }
      break;
    case 'arithmetic':
      yield tree.left;
      yield tree.right;
      for (const left of smallerNumbers(tree.left)) yield { ...tree, left };
      for (const right of smallerNumbers(tree.right)) yield { ...tree, right };
      break;
    default:
  }
}
