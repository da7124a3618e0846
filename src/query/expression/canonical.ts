// A syntax tree as text: one form for each tree, with no more parentheses than it needs. Parsing it gives the tree again.

import { binaryPower, POWER, type Syntax } from './syntax.ts';

export function canonicalText(tree: Syntax): string {
  switch (tree.kind) {
    case 'number':
      return String(tree.value);
    case 'text':
      return `'${tree.value.replaceAll("'", "''")}'`;
    case 'name':
      return tree.name;
    case 'call':
      return `${tree.name}(${listed(tree.operands)})`;
    case 'unary': {
      if (tree.operator === '-') return `-${within(tree.operand, POWER.primary)}`;
      return `not ${within(tree.operand, POWER.not)}`;
    }
    case 'binary': {
      const power = binaryPower(tree.operator);
      // Left-associative; comparisons do not chain at all.
      const left = power === POWER.comparison ? power + 1 : power;
      return `${within(tree.left, left)} ${tree.operator} ${within(tree.right, power + 1)}`;
    }
    case 'between':
      return `${within(tree.operand, POWER.sum)} between ${within(tree.low, POWER.sum)} and ${within(tree.high, POWER.sum)}`;
    case 'in':
      return `${within(tree.operand, POWER.sum)} in (${listed(tree.items)})`;
    case 'is null':
    case 'is not null':
      return `${within(tree.operand, POWER.sum)} ${tree.kind}`;
  }
}

function listed(trees: readonly Syntax[]): string {
  return trees.map(canonicalText).join(', ');
}

/** In parentheses if it binds less tightly than its place needs. */
function within(tree: Syntax, power: number): string {
  const text = canonicalText(tree);
  return powerOf(tree) < power ? `(${text})` : text;
}

function powerOf(tree: Syntax): number {
  switch (tree.kind) {
    case 'number':
    case 'text':
    case 'name':
    case 'call':
      return POWER.primary;
    case 'unary':
      return tree.operator === '-' ? POWER.negation : POWER.not;
    case 'binary':
      return binaryPower(tree.operator);
    default:
      return POWER.comparison;
  }
}
