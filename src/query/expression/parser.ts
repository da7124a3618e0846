// Tokens to a syntax tree: a Pratt parser. Every error says what was expected, and where.

import { quoted } from '../../errors.ts';
import { OPERATORS } from '../operators.ts';
import { type ExpressionSource, expressionError, tooLarge, whereSource } from './expression-source.ts';
import { MAX_NESTING, MAX_OPERATORS } from './limits.ts';
import { type BinaryOperator, binaryPower, POWER, type Syntax } from './syntax.ts';
import { type Token, tokenize } from './tokens.ts';

/** Counts the operators of all expressions of one request. */
export class OperatorBudget {
  #used = 0;

  spend(source: ExpressionSource, at: number): void {
    this.#used++;
    if (this.#used > MAX_OPERATORS) {
      throw tooLarge(source, at, `The expressions of the request have more than ${MAX_OPERATORS} operators.`);
    }
  }
}

export function parseExpression(source: ExpressionSource, budget: OperatorBudget = new OperatorBudget()): Syntax {
  return new Parser(source, budget).whole();
}

const BINARY: ReadonlySet<string> = new Set(['and', 'or', '+', '-', '*', '/', ...Object.keys(OPERATORS)]);
const OPERAND = 'a number, a text, a column, a function or "("';

class Parser {
  readonly #source: ExpressionSource;
  readonly #budget: OperatorBudget;
  readonly #tokens: readonly Token[];
  #next = 0;
  #nesting = 0;

  constructor(source: ExpressionSource, budget: OperatorBudget) {
    this.#source = source;
    this.#budget = budget;
    this.#tokens = tokenize(source);
  }

  whole(): Syntax {
    const tree = this.#expression(POWER.or);
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator or the end');
    return tree;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!; // the last token is the end, and nothing goes beyond it
  }

  /** The keyword or sign that comes next; empty if something else does. */
  get #fixed(): string {
    const token = this.#token;
    return token.kind === 'fixed' ? token.text : '';
  }

  /** All that binds at least as tightly as `power`. */
  #expression(power: number): Syntax {
    let left = this.#operand();
    for (;;) {
      const right = this.#continued(left, power);
      if (right === null) return left;
      left = right;
    }
  }

  /** The next operator applied to what stands before it; null if none that binds tightly enough follows. */
  #continued(left: Syntax, power: number): Syntax | null {
    const { at } = this.#token;
    const fixed = this.#fixed;
    if (isBinary(fixed)) {
      const own = binaryPower(fixed);
      if (own < power) return null;
      this.#spend();
      const right = this.#expression(own + 1);
      return this.#notChained({ kind: 'binary', operator: fixed, left, right, at });
    }
    if (!['is', 'in', 'between', 'not'].includes(fixed) || power > POWER.comparison) return null;
    this.#spend();
    if (fixed === 'is') {
      const negated = this.#accept('not');
      this.#require('null', negated ? '"null"' : '"null" or "not null"');
      return this.#notChained({ kind: negated ? 'is not null' : 'is null', operand: left, at });
    }
    if (fixed !== 'not') return this.#notChained(this.#member(left, fixed === 'in', at));
    const isIn = this.#fixed === 'in';
    if (!this.#accept('in') && !this.#accept('between')) throw this.#unexpected('"in" or "between"');
    this.#budget.spend(this.#source, at);
    return this.#notChained({ kind: 'unary', operator: 'not', operand: this.#member(left, isIn, at), at });
  }

  /** What follows `in` or `between`. */
  #member(operand: Syntax, isIn: boolean, at: number): Syntax {
    if (isIn) return { kind: 'in', operand, items: this.#list(), at };
    const low = this.#expression(POWER.sum);
    this.#require('and', '"and" between the two ends');
    return { kind: 'between', operand, low, high: this.#expression(POWER.sum), at };
  }

  #operand(): Syntax {
    const token = this.#token;
    if (token.kind === 'end') throw this.#unexpected(OPERAND);
    this.#next++;
    if (token.kind === 'number' || token.kind === 'text') return token;
    if (token.kind === 'name') return this.#fixed === '(' ? this.#call(token.name, token.at) : token;
    switch (token.text) {
      case '(':
        return this.#nested(token.at, () => {
          const inner = this.#expression(POWER.or);
          this.#require(')', 'an operator or ")"');
          return inner;
        });
      case '-':
      case 'not':
        return this.#unary(token.text, token.at);
      default:
        this.#next--;
        throw this.#unexpected(OPERAND);
    }
  }

  #unary(operator: '-' | 'not', at: number): Syntax {
    this.#budget.spend(this.#source, at);
    const power = operator === '-' ? POWER.negation : POWER.not;
    return this.#nested(at, () => ({ kind: 'unary', operator, operand: this.#expression(power), at }));
  }

  #call(name: string, at: number): Syntax {
    return this.#nested(at, () => ({ kind: 'call', name, operands: this.#list(), at }));
  }

  /** `(a, b, …)`, each counted as an operator. */
  #list(): Syntax[] {
    this.#require('(', '"("');
    const items: Syntax[] = [];
    do {
      this.#budget.spend(this.#source, this.#token.at);
      items.push(this.#expression(POWER.or));
    } while (this.#accept(','));
    this.#require(')', '"," or ")"');
    return items;
  }

  /** Recursion goes through here, so that no input can exhaust the stack. */
  #nested(at: number, parse: () => Syntax): Syntax {
    if (++this.#nesting > MAX_NESTING) {
      throw tooLarge(this.#source, at, `The expression nests more than ${MAX_NESTING} levels deep.`);
    }
    const tree = parse();
    this.#nesting--;
    return tree;
  }

  /** `a < b < c` would compare a truth value. */
  #notChained(tree: Syntax): Syntax {
    const chained = tree.kind !== 'binary' || binaryPower(tree.operator) === POWER.comparison;
    const fixed = this.#fixed;
    if (chained && (Object.hasOwn(OPERATORS, fixed) || ['is', 'in', 'between', 'not'].includes(fixed))) {
      throw this.#unexpected('"and", "or" or the end', 'Comparisons do not chain. Write a < b and b < c.');
    }
    return tree;
  }

  /** Takes the operator that comes next. */
  #spend(): void {
    this.#budget.spend(this.#source, this.#token.at);
    this.#next++;
  }

  #accept(text: string): boolean {
    const accepted = this.#fixed === text;
    if (accepted) this.#next++;
    return accepted;
  }

  #require(text: string, expected: string): void {
    if (!this.#accept(text)) throw this.#unexpected(expected);
  }

  #unexpected(expected: string, hint?: string) {
    const token = this.#token;
    const before = this.#tokens[this.#next - 1];
    const operandFollowsOperand = ['number', 'name'].includes(token.kind) && before !== undefined;
    const lostPlus = operandFollowsOperand && (before.kind === 'number' || before.kind === 'name');
    return expressionError(
      this.#source,
      token.at,
      `Expected ${expected}, not ${shown(token)}.`,
      hint ?? (lostPlus ? LOST_PLUS : undefined),
    );
  }
}

/** The tools for agents, whose arguments are not in a URL, replace it. */
export const LOST_PLUS = 'A plus sign is written %2B in a URL; a bare + arrives as a space.';

function isBinary(text: string): text is BinaryOperator {
  return BINARY.has(text);
}

function shown(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end';
    case 'number':
      return String(token.value);
    case 'text':
      return 'a text';
    case 'name':
      return quoted(token.name);
    case 'fixed':
      return quoted(token.text);
  }
}

/** The conditions that `and` joins; the whole if an `or` joins its parts. `where` is a valid expression. */
export function conjuncts(where: string): string[] {
  const starts = [0];
  const ends: number[] = [];
  let [depth, isBetween] = [0, false];
  for (const token of tokenize(whereSource(where))) {
    if (token.kind !== 'fixed') continue;
    const { text, at } = token;
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth > 0) continue;
    if (text === 'or') return [where];
    if (text === 'between') isBetween = true;
    if (text !== 'and') continue;
    if (!isBetween) {
      ends.push(at);
      starts.push(at + text.length);
    }
    isBetween = false;
  }
  return starts.map((start, i) => where.slice(start, ends[i]).trim());
}
