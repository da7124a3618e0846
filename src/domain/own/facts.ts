// What a definition reads and how far it reaches back: derived from its tree.

import type { DayNumber } from '../kernels.ts';
import type { OwnNode } from './language.ts';

/** The nodes that it is computed from. */
function partsOf(node: OwnNode): readonly OwnNode[] {
  switch (node.kind) {
    case 'number':
    case 'series':
      return [];
    case 'binary':
      return [node.left, node.right];
    default:
      return [node.operand];
  }
}

function deepest(node: OwnNode, depth: (node: OwnNode) => number): number {
  return partsOf(node).reduce((most, part) => Math.max(most, depth(part)), 0);
}

/** Periods before the day of a value that it depends on, without what a recursion carries along. */
export function reachOf(node: OwnNode): number {
  const inner = deepest(node, reachOf);
  if (node.kind === 'recursion') return inner + (node.name === 'ema' ? 0 : 1);
  return inner + ownPeriods(node);
}

/** Periods before the first value. */
export function warmUpOf(node: OwnNode): number {
  const inner = deepest(node, warmUpOf);
  if (node.kind === 'recursion') return inner + (node.name === 'ema' ? node.length - 1 : node.length);
  return inner + ownPeriods(node);
}

function ownPeriods(node: OwnNode): number {
  if (node.kind !== 'window') return 0;
  return node.name === 'lag' || node.name === 'change' ? node.length : node.length - 1;
}

export function recursionsIn(node: OwnNode): number {
  return Number(node.kind === 'recursion') + partsOf(node).reduce((sum, part) => sum + recursionsIn(part), 0);
}

/** Whether the values of one day are enough to go on: no recursion is inside a window or another recursion. */
export function continues(node: OwnNode): boolean {
  if (node.kind === 'window' || node.kind === 'recursion')
    return recursionsIn(node) <= Number(node.kind === 'recursion');
  return partsOf(node).every(continues);
}

export function readsOf(node: OwnNode): DayNumber[] {
  const own: DayNumber[] =
    node.kind === 'series'
      ? seriesReads(node.name)
      : node.kind === 'recursion' && node.name === 'atr'
        ? ['high', 'low']
        : [];
  return [...new Set([...own, ...partsOf(node).flatMap(readsOf)])];
}

function seriesReads(name: Extract<OwnNode, { kind: 'series' }>['name']): DayNumber[] {
  if (name === 'close') return [];
  return [name === 'turnover' ? 'volume' : name];
}

/** Whether it reads a series at all. */
export function readsSeries(node: OwnNode): boolean {
  return node.kind === 'series' || partsOf(node).some(readsSeries);
}
