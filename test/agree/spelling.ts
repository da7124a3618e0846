// Requests as the paths that clients send: each part in one of the forms that the contract allows, with no more parentheses than needed
// or with some more.

import { Chance } from '../contract/query/chance.ts';
import type { ConditionTree, NumberTree } from './expressions.ts';
import { DATASET, type Request, type View } from './requests.ts';

/** From loosest to tightest, as the reference of expressions has it. */
const POWER = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, negation: 7, atom: 8 } as const;

/** The plainest of several forms, or any of them. */
type Form = <T>(forms: readonly [T, ...T[]]) => T;

interface Written {
  readonly text: string;
  readonly power: number;
}

export class Spelling {
  readonly #form: Form;

  constructor(seed: number) {
    const chance = new Chance(seed);
    this.#form = seed === 0 ? forms => forms[0] : forms => chance.pick(forms);
  }

  number(tree: NumberTree): string {
    return this.#number(tree).text;
  }

  condition(tree: ConditionTree): string {
    return this.#condition(tree).text;
  }

  path(request: Request): string {
    const { view, answered } = request;
    const name = answered.kind === 'rows' ? view.dataset : `${view.dataset}/${answered.kind}`;
    return `/v1/crypto/${name}?${this.#pairs(request).join('&')}`;
  }

  #number(tree: NumberTree): Written {
    switch (tree.kind) {
      case 'literal':
        return atom(tree.text);
      case 'column':
        return atom(this.#form([tree.name, tree.name, tree.name, `[${tree.name}]`, `[ ${tree.name} ]`]));
      case 'negate':
        return { text: `-${this.#inside(this.#number(tree.of), POWER.negation)}`, power: POWER.negation };
      case 'call':
        return atom(`${tree.name}${this.#space()}(${this.#list(tree.of)})`);
      case 'lag':
        return atom(`lag(${this.number(tree.of)}${this.#form([', ', ','])}${tree.days})`);
      case 'arithmetic': {
        const power = '+-'.includes(tree.operator) ? POWER.sum : POWER.product;
        const left = this.#inside(this.#number(tree.left), power);
        const right = this.#inside(this.#number(tree.right), power + 1);
        return { text: `${left}${this.#around(tree.operator)}${right}`, power };
      }
    }
  }

  #condition(tree: ConditionTree): Written {
    switch (tree.kind) {
      case 'and':
      case 'or': {
        const power = POWER[tree.kind];
        const left = this.#inside(this.#condition(tree.left), power);
        const right = this.#inside(this.#condition(tree.right), power + 1);
        return { text: `${left} ${this.#word(tree.kind)} ${right}`, power };
      }
      case 'not':
        return {
          text: `${this.#word('not')} ${this.#inside(this.#condition(tree.of), POWER.not)}`,
          power: POWER.not,
        };
      case 'flag':
        return atom(tree.column);
      case 'tag':
        return atom(`tag(${quoted(tree.value)})`);
      case 'crosses':
        return atom(`crosses_${tree.way}(${this.#list([tree.left, tree.right])})`);
      default:
        return { text: this.#test(tree), power: POWER.comparison };
    }
  }

  #test(tree: Exclude<ConditionTree, { kind: 'and' | 'or' | 'not' | 'flag' | 'tag' | 'crosses' }>): string {
    const operand = (of: NumberTree) => this.#inside(this.#number(of), POWER.sum);
    const not = 'not' in tree && tree.not ? `${this.#word('not')} ` : '';
    switch (tree.kind) {
      case 'compare':
        return `${operand(tree.left)}${this.#around(tree.operator)}${operand(tree.right)}`;
      case 'between':
        return `${operand(tree.of)} ${not}${this.#word('between')} ${operand(tree.low)} ${this.#word('and')} ${operand(tree.high)}`;
      case 'in':
        return `${operand(tree.of)} ${not}${this.#word('in')} (${this.#list(tree.items)})`;
      case 'text': {
        const operator = this.#around(tree.operator);
        return this.#form([
          `${tree.column}${operator}${quoted(tree.value)}`,
          `${quoted(tree.value)}${operator}${tree.column}`,
        ]);
      }
      case 'text in':
        return `${tree.column} ${not}${this.#word('in')} (${tree.values.map(quoted).join(',')})`;
      case 'time': {
        const time = this.#form(['', '', '', ' 00:00', 'T00:00:00.000Z']);
        const day = tree.day.length > 10 ? tree.day : `${tree.day}${time}`;
        return `${tree.column}${this.#around(tree.operator)}${quoted(day)}`;
      }
      case 'is null':
        return `${operand(tree.of)} ${this.#word('is')} ${not}${this.#word('null')}`;
      case 'column is null':
        return `${tree.column} ${this.#word('is')} ${not}${this.#word('null')}`;
    }
  }

  #list(items: readonly NumberTree[]): string {
    return items.map(item => this.number(item)).join(this.#form([', ', ',']));
  }

  /** With parentheses where the operator outside binds more tightly, and sometimes where they are not needed. */
  #inside({ text, power }: Written, outside: number): string {
    const needed = power < outside;
    return needed || this.#form([false, false, false, false, true]) ? `(${text})` : text;
  }

  #around(operator: string): string {
    return this.#form([` ${operator} `, operator, `  ${operator}`]);
  }

  #space(): string {
    return this.#form(['', '', '', ' ']);
  }

  #word(word: string): string {
    return this.#form([word, word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]);
  }

  #pairs(request: Request): string[] {
    const { calcs, where, answered } = request;
    const pairs: [name: string, value: string][] = viewQuery(request.view);
    const add = (name: string, value: string | number | null) => {
      if (value !== null) pairs.push([name, String(value)]);
    };
    const list = (name: string, values: readonly string[] | null) => {
      if (values === null || values.length === 0) return;
      const bracketed = this.#form([name, name, `${name}[]`]);
      if (this.#form([true, false])) add(name, values.join(','));
      else for (const value of values) add(bracketed, value);
    };
    add('limit', request.limit);
    if (request.page !== 1) add('page', request.page);
    add('sort', request.sort);
    add('order', request.order && this.#form([request.order, request.order.toUpperCase()]));
    list('incl_cols', request.included);
    list('excl_cols', request.excluded);
    list('symbol', request.symbols);
    list('tag', request.tags);
    list('type', request.types);
    add('min_history', request.minHistory);
    add('q', request.search);
    add('from', request.from);
    add('to', request.to);
    for (const { column, value } of request.flags) add(column, this.#form([String(value), value ? '1' : '0']));
    for (const { name, value } of calcs) add('calc', `${name}${this.#form([':', ' : '])}${this.number(value)}`);
    if (where !== null) add('where', this.condition(where));
    if (answered.kind === 'stats') {
      list('cols', answered.columns);
      add('bins', answered.bins);
    }
    const written = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${this.#encoded(value)}`);
    for (const range of request.ranges) written.push(this.#range(range, sortOf(request)));
    for (const comparison of request.comparisons) written.push(this.#comparison(comparison));
    written.push(...this.#notNull(request));
    return written;
  }

  #range({ column, low, high }: Request['ranges'][number], sort: string): string {
    const end = (value: number | null) =>
      value === null ? '' : this.#form([String(value), value.toExponential()]).replace('+', this.#form(['%2B', '']));
    const [from, to] = [end(low), end(high)];
    const bounds = low !== null && low === high ? this.#form([`${from}:${to}`, from]) : `${from}:${to}`;
    return this.#form([
      `${column}=${bounds}`,
      `[${column}]=${bounds}`,
      `%5B${column}%5d=${bounds}`,
      `range=${column}:${bounds}`,
      `range=[${column}]:${bounds},`,
      column === sort ? `range=${bounds}` : `range=${column}:${bounds}`,
    ]);
  }

  #comparison({ left, operator, right }: Request['comparisons'][number]): string {
    const text = `[${left}]${operator}:[${right}]`;
    return this.#form([
      text,
      encodeURIComponent(text),
      `comparison=${encodeURIComponent(text)}`,
      `comparison=${left}${encodeURIComponent(operator)}:${right}`,
    ]);
  }

  #notNull({ notNull, notNullFlag }: Request): string[] {
    const flag = notNullFlag ? [this.#form(['not_null', 'not_null=true', 'not_null='])] : [];
    if (notNull.length === 0) return flag;
    return this.#form([true, false])
      ? [...flag, `not_null=${notNull.join(',')}`]
      : [...flag, ...notNull.map(name => this.#form([`${name}=not_null`, `[${name}]=not_null`]))];
  }

  #encoded(value: string): string {
    const encoded = encodeURIComponent(value);
    return this.#form([encoded, encoded.replaceAll('%20', '+'), encoded.replaceAll('%2C', ',').replaceAll('%3A', ':')]);
  }
}

/** The rows of a view, before any filter. */
export function viewQuery({ asOf, inactive, id, interval, quote }: View): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  if (asOf !== null) pairs.push(['as_of', asOf]);
  if (inactive) pairs.push(['inactive', 'true']);
  if (id !== null) pairs.push(['id', id]);
  if (interval !== null) pairs.push(['interval', interval]);
  if (quote !== null) pairs.push(['quote', quote]);
  return pairs;
}

export function sortOf({ view, sort }: Request): string {
  return sort ?? DATASET[view.dataset].defaultSort;
}

function atom(text: string): Written {
  return { text, power: POWER.atom };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
