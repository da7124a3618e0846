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
}

/** All mutants of a file. Types are left out: changing one does not change what the program does. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = stripTypeScriptTypes(source); // blanks in place of types, so that positions stay
  const found: Mutant[] = [];
  const add = (at: number, was: string, becomes: string | undefined) => {
    if (becomes !== undefined) found.push({ file, at, was, becomes });
  };
  visit(parseAst(code) as unknown as Node, node => {
    const { type, operator = '', left, right, start, raw = '' } = node;
    if (/^(Binary|Logical)Expression$/.test(type) && left !== undefined && right !== undefined) {
      const between = code.slice(left.end, right.start);
      add(left.end + between.indexOf(operator), operator, OPERATORS[operator]);
    } else if (type === 'UnaryExpression' && operator === '!') add(start, '!', '');
    else if (type === 'Literal' && /^(true|false)$/.test(raw)) add(start, raw, raw === 'true' ? 'false' : 'true');
    else if (type === 'Literal' && /^[\d_]+$/.test(raw)) add(start, raw, `${Number(raw.replaceAll('_', '')) + 1}`);
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
