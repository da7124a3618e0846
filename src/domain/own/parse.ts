// The text of a definition to its tree, with no more parentheses in its formula than it needs. Every error names the place.

import { nearest } from '../../common/nearest.ts';
import {
  type Arithmetic,
  LIMITS,
  OWN_FUNCTIONS,
  OwnColumnError,
  type OwnNode,
  PLAIN,
  type PlainName,
  RECURSIONS,
  type RecursionName,
  SERIES,
  type WindowName,
} from './language.ts';

const TOKEN = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/(),])|(\S))/y;

const OPERAND = 'a number, a series, a function or "("';

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

export function parseDefinition(text: string): OwnNode {
  if (text.length > LIMITS.characters) {
    throw new OwnColumnError(`the definition has ${text.length} characters`, `At most ${LIMITS.characters} are read.`);
  }
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #nesting = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = this.#tokenize();
  }

  whole(): OwnNode {
    const node = this.#sum();
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator or the end');
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!; // the last one is the end, and nothing goes beyond it
  }

  #tokenize(): Token[] {
    const tokens: Token[] = [];
    let at = 0;
    while (this.#text.slice(at).trim() !== '') {
      TOKEN.lastIndex = at;
      const [whole, number, name, sign, other] = TOKEN.exec(this.#text)!; // it matches every text that is not blank
      const text = number ?? name ?? sign ?? other!;
      const start = at + whole.length - text.length;
      if (other !== undefined) throw this.#error(start, `a definition cannot have ${JSON.stringify(other)}`);
      tokens.push({ kind: number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign', text, at: start });
      at += whole.length;
    }
    return [...tokens, { kind: 'end', text: '', at: this.#text.length }];
  }

  #sum(): OwnNode {
    let left = this.#product();
    while (this.#token.text === '+' || this.#token.text === '-') {
      const operator = this.#take().text as Arithmetic; // by the line above
      left = binary(operator, left, this.#product());
    }
    return left;
  }

  #product(): OwnNode {
    let left = this.#operand();
    while (this.#token.text === '*' || this.#token.text === '/') {
      const operator = this.#take().text as Arithmetic; // by the line above
      left = binary(operator, left, this.#operand());
    }
    return left;
  }

  #operand(): OwnNode {
    const token = this.#take();
    if (token.kind === 'number') return { kind: 'number', value: this.#finite(token) };
    if (token.kind === 'name') return this.#token.text === '(' ? this.#call(token) : this.#series(token);
    if (token.text === '-') return this.#nested(token, () => negated(this.#operand()));
    if (token.text === '(') {
      return this.#nested(token, () => {
        const inner = this.#sum();
        this.#require(')', 'an operator or ")"');
        return inner;
      });
    }
    this.#next--;
    throw this.#unexpected(OPERAND);
  }

  #series({ text, at }: Token): OwnNode {
    const name = SERIES.find(each => each === text);
    if (name !== undefined) return { kind: 'series', name };
    if (Object.hasOwn(OWN_FUNCTIONS, text))
      throw this.#error(at, `${text} is a function`, `Write ${OWN_FUNCTIONS[text]!.form}.`);
    throw this.#error(at, `unknown series ${JSON.stringify(text)}`, meant(text, SERIES, 'Series'));
  }

  #call(name: Token): OwnNode {
    return this.#nested(name, () => {
      this.#take();
      const operands: { readonly node: OwnNode; readonly at: number }[] = [];
      do operands.push({ at: this.#token.at, node: this.#sum() });
      while (this.#accept(','));
      this.#require(')', '"," or ")"');
      return this.#called(name, operands);
    });
  }

  #called({ text, at }: Token, operands: readonly { readonly node: OwnNode; readonly at: number }[]): OwnNode {
    const facts = Object.hasOwn(OWN_FUNCTIONS, text) ? OWN_FUNCTIONS[text] : undefined;
    if (facts === undefined) {
      throw this.#error(
        at,
        `unknown function ${JSON.stringify(text)}`,
        meant(text, Object.keys(OWN_FUNCTIONS), 'Functions'),
      );
    }
    const wrong = (wanted: string) =>
      this.#error(at, `${text}() takes ${wanted}, not ${operands.length}`, `Write ${facts.form}.`);
    const [first, second] = operands;
    if (text === 'atr') {
      if (operands.length !== 1) throw wrong('one number of periods');
      return { kind: 'recursion', name: text, operand: CLOSE, length: this.#length(text, first!) };
    }
    if (Object.hasOwn(PLAIN, text)) {
      if (operands.length !== 1) throw wrong('one value');
      return folded({ kind: 'plain', name: text as PlainName, operand: first!.node }); // its own key
    }
    if (operands.length !== 2) throw wrong('a value and a number of periods');
    if ((text === 'min' || text === 'max') && second!.node.kind !== 'number') {
      return binary(text, first!.node, second!.node);
    }
    const length = this.#length(text, second!);
    const operand = first!.node;
    if (operand.kind === 'number') throw this.#error(first!.at, `${text}() takes a series, not a number`);
    return Object.hasOwn(RECURSIONS, text)
      ? { kind: 'recursion', name: text as RecursionName, operand, length } // its own key
      : { kind: 'window', name: text as WindowName, operand, length }; // what is left
  }

  #length(name: string, { node, at }: { readonly node: OwnNode; readonly at: number }): number {
    const value = node.kind === 'number' ? node.value : Number.NaN;
    if (Number.isInteger(value) && value >= 1 && value <= LIMITS.window) return value;
    throw this.#error(
      at,
      `${name}() takes a number of periods from 1 to ${LIMITS.window}, written as a whole number`,
      `Write ${OWN_FUNCTIONS[name]!.form}, such as ${OWN_FUNCTIONS[name]!.form.replace('x', 'close').replace('n)', '20)')}.`,
    );
  }

  #finite({ text, at }: Token): number {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw this.#error(at, `the number ${text.slice(0, 40)} is too large for a double`);
  }

  /** Recursion goes through here, so that no input can exhaust the stack. */
  #nested({ at }: Token, parse: () => OwnNode): OwnNode {
    if (++this.#nesting > LIMITS.nesting) {
      throw this.#error(at, `the definition nests more than ${LIMITS.nesting} levels deep`);
    }
    const node = parse();
    this.#nesting--;
    return node;
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind === 'end') throw this.#unexpected(OPERAND);
    this.#next++;
    return token;
  }

  #accept(text: string): boolean {
    const accepted = this.#token.text === text;
    if (accepted) this.#next++;
    return accepted;
  }

  #require(text: string, expected: string): void {
    if (!this.#accept(text)) throw this.#unexpected(expected);
  }

  #unexpected(expected: string): OwnColumnError {
    const { kind, text, at } = this.#token;
    return this.#error(at, `expected ${expected}, not ${kind === 'end' ? 'the end' : JSON.stringify(text)}`);
  }

  #error(at: number, what: string, hint?: string): OwnColumnError {
    const rest = this.#text.slice(at, at + 20);
    return new OwnColumnError(
      `${what}, at position ${at}${rest === '' ? '' : `, before ${JSON.stringify(rest)}`}`,
      hint,
    );
  }
}

const CLOSE: OwnNode = { kind: 'series', name: 'close' };

function meant(name: string, known: readonly string[], what: string): string {
  const near = nearest(name, known);
  return near === null ? `${what}: ${known.join(', ')}.` : `Did you mean ${near}?`;
}

function binary(operator: Arithmetic | 'min' | 'max', left: OwnNode, right: OwnNode): OwnNode {
  return folded({ kind: 'binary', operator, left, right });
}

function negated(operand: OwnNode): OwnNode {
  return folded({ kind: 'plain', name: 'negate', operand });
}

/** `-1` is a number, which a window may have. */
function folded(node: OwnNode): OwnNode {
  if (node.kind === 'plain' && node.name === 'negate' && node.operand.kind === 'number') {
    return { kind: 'number', value: -node.operand.value };
  }
  return node;
}

const POWER = { '+': 1, '-': 1, '*': 2, '/': 2 } as const;

/** The text of a tree: one form for each. */
export function definitionText(node: OwnNode): string {
  switch (node.kind) {
    case 'number':
      return String(node.value);
    case 'series':
      return node.name;
    case 'plain':
      return node.name === 'negate' ? `-${within(node.operand, 3)}` : `${node.name}(${definitionText(node.operand)})`;
    case 'window':
      return `${node.name}(${definitionText(node.operand)}, ${node.length})`;
    case 'recursion':
      return node.name === 'atr'
        ? `atr(${node.length})`
        : `${node.name}(${definitionText(node.operand)}, ${node.length})`;
    case 'binary': {
      const { operator, left, right } = node;
      if (operator === 'min' || operator === 'max')
        return `${operator}(${definitionText(left)}, ${definitionText(right)})`;
      return `${within(left, POWER[operator])} ${operator} ${within(right, POWER[operator] + 1)}`;
    }
  }
}

function within(node: OwnNode, power: number): string {
  const text = definitionText(node);
  const own = node.kind === 'binary' && node.operator in POWER ? POWER[node.operator as Arithmetic] : 3; // by the test before
  const isNegative = node.kind === 'number' && node.value < 0;
  return own < power || isNegative ? `(${text})` : text;
}
