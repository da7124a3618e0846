// Makes nodes, folding what is constant: `1.02 * 3` is computed once, and `x > 1 and 2 > 1` is `x > 1`.

import { OPERATORS, type Operator } from '../operators.ts';
import type { BooleanNode, NumberNode } from './nodes.ts';
import { applyOperation, type OperationName } from './operations.ts';

const NULL: NumberNode = { kind: 'constant', value: Number.NaN };
const TRUE: BooleanNode = { kind: 'truth', value: true };
const FALSE: BooleanNode = { kind: 'truth', value: false };

export function constant(value: number): NumberNode {
  return { kind: 'constant', value };
}

export function truth(value: boolean): BooleanNode {
  return value ? TRUE : FALSE;
}

export function operation(name: OperationName, a: NumberNode, b?: NumberNode): NumberNode {
  const operands = b === undefined ? [a] : [a, b];
  if (operands.some(isNull)) return NULL;
  const values = operands.map(node => (node.kind === 'constant' ? node.value : null));
  if (values.includes(null)) return { kind: 'operation', name, operands };
  return constant(applyOperation(name, values[0]!, values[1] ?? 0));
}

export function comparison(operator: Operator, left: NumberNode, right: NumberNode): BooleanNode {
  if (isNull(left) || isNull(right)) return FALSE;
  if (left.kind === 'constant' && right.kind === 'constant')
    return truth(OPERATORS[operator].holds(left.value, right.value));
  return { kind: 'compare', operator, left, right };
}

export function nullTest(operand: NumberNode): BooleanNode {
  return operand.kind === 'constant' ? truth(isNull(operand)) : { kind: 'is null', operand };
}

export function negation(operand: BooleanNode): BooleanNode {
  if (operand.kind === 'truth') return truth(!operand.value);
  return operand.kind === 'not' ? operand.operand : { kind: 'not', operand };
}

export function conjunction(operands: readonly BooleanNode[]): BooleanNode {
  return joined('and', operands);
}

export function disjunction(operands: readonly BooleanNode[]): BooleanNode {
  return joined('or', operands);
}

/** `deciding` is the operand that settles the whole: false for `and`, true for `or`. */
function joined(kind: 'and' | 'or', operands: readonly BooleanNode[]): BooleanNode {
  const deciding = kind === 'or';
  const flat = operands.flatMap(each => (each.kind === kind ? each.operands : [each]));
  if (flat.some(each => each.kind === 'truth' && each.value === deciding)) return truth(deciding);
  const open = flat.filter(each => each.kind !== 'truth');
  const [only] = open;
  if (only === undefined) return truth(!deciding);
  return open.length === 1 ? only : { kind, operands: open };
}

function isNull(node: NumberNode): boolean {
  return node.kind === 'constant' && Number.isNaN(node.value);
}
