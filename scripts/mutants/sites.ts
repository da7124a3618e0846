// Finds the tokens of a source file that a mutant may change: comparisons, arithmetic, booleans, and literals.

import { stripTypeScriptTypes } from 'node:module';
import { parseAst } from 'vite';

export interface Mutant {
  readonly file: string;
  /** Where the token begins, in characters. */
  readonly at: number;
  readonly was: string;
  readonly becomes: string;
}

/** One other operator for each, close enough that only a test of the exact behaviour sees the difference. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** What the parser returns, as far as it is used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly raw?: string;
  readonly id?: { readonly name?: string };
  readonly init?: Node | null;
  readonly consequent?: Node;
  readonly alternate?: Node;
}

/** Names of constants that say how much at once, how long or how large: any number near theirs does as well. Limits are not among them. */
const TUNING_NAME =
  /^(?!MAX|MOST|MIN|LEAST|DEFAULT)[A-Z0-9_]*(?:MS|MILLIS|SECONDS|BYTES|AT_ONCE|PER_STEP|SHARE|SPARE|PIECE|CHUNK|ROOM)$/;
/** Smaller ones are often the sizes of fields. */
const LEAST_TUNING = 100;

/**
 * Numbers that no test can be exact about, so that their mutants are not chosen: large constants with such a name, files of tuning, and
 * the 1 of `? -1 : 1`, of which only the sign counts.
 */
function untestable(file: string, tree: Node, code: string): (at: number) => boolean {
  const spans: Node[] = [];
  visit(tree, ({ type, id, init, consequent, alternate }) => {
    if (type === 'VariableDeclarator' && init && TUNING_NAME.test(id?.name ?? '')) {
      const [amount = Number.NaN] = [code.slice(init.start, init.end)]
        .filter(text => /^[\d_* ]+$/.test(text))
        .map(productOf);
      if (amount >= LEAST_TUNING) spans.push(init);
    }
    if (type === 'ConditionalExpression' && consequent && alternate) {
      const texts = [consequent, alternate].map(({ start, end }) => code.slice(start, end));
      if (texts.toSorted().join() === '-1,1') spans.push(consequent, alternate);
    }
  });
  return at => file.endsWith('/tuning.ts') || spans.some(({ start, end }) => start <= at && at < end);
}

/** Of `64 * 2 ** 10`. */
function productOf(text: string): number {
  return text
    .replaceAll('_', '')
    .split(/(?<!\*)\*(?!\*)/)
    .map(factor => factor.split('**').map(Number))
    .reduce((product, [base = 1, power = 1]) => product * base ** power, 1);
}

/** All mutants of a file. Types are left out: changing one does not change what the program does. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = stripTypeScriptTypes(source); // blanks in place of types, so that positions stay
  const found: Mutant[] = [];
  const add = (at: number, was: string, becomes: string | undefined) => {
    if (becomes !== undefined) found.push({ file, at, was, becomes });
  };
  const tree = parseAst(code) as unknown as Node;
  const isUntestable = untestable(file, tree, code);
  visit(tree, node => {
    const { type, operator = '', left, right, start, raw = '' } = node;
    if (/^(Binary|Logical)Expression$/.test(type) && left !== undefined && right !== undefined) {
      const between = code.slice(left.end, right.start);
      add(left.end + between.indexOf(operator), operator, OPERATORS[operator]);
    } else if (type === 'UnaryExpression' && operator === '!') add(start, '!', '');
    else if (type === 'Literal' && /^(true|false)$/.test(raw)) add(start, raw, raw === 'true' ? 'false' : 'true');
    else if (type === 'Literal' && /^[\d_]+$/.test(raw) && !isUntestable(start))
      add(start, raw, `${Number(raw.replaceAll('_', '')) + 1}`);
  });
  return found;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The file with the mutant in it. */
export function mutated(source: string, { at, was, becomes }: Mutant): string {
  return source.slice(0, at) + becomes + source.slice(at + was.length);
}
