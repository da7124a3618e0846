// Tags and tickers of a condition that no asset has: a misspelt one would select nothing, or exclude nothing, unnoticed.

import { nearest } from '../common/nearest.ts';
import type { BooleanNode } from '../query/expression/nodes.ts';
import type { Plan } from '../query/parse/plan.ts';
import type { Snapshot, Table } from '../snapshot/table.ts';
import { nearestAssets } from './find-asset.ts';
import { plainText } from './table-text.ts';

/** One sentence per value. */
export function unknownValues({ where, symbols, dataset }: Plan, table: Table, snapshot: Snapshot): string[] {
  const tags = new Set<string>();
  const tickers = new Set(symbols ?? []);
  const visit = (node: BooleanNode): void => {
    if (node.kind === 'profile' && node.fact === 'tag') for (const value of node.values) tags.add(value);
    if (node.kind === 'text' && dataset.columns[node.column]!.name === 'symbol') {
      for (const value of node.values) tickers.add(value);
    }
    if (node.kind === 'and' || node.kind === 'or') node.operands.forEach(visit);
    if (node.kind === 'not') visit(node.operand);
  };
  if (where !== null) visit(where.node);
  return [
    ...[...tags].flatMap(tag => unknownTag(tag, table) ?? []),
    ...[...tickers].flatMap(ticker => unknownTicker(ticker, table, snapshot) ?? []),
  ];
}

function unknownTag(tag: string, { profiles }: Table): string | null {
  const known = profiles?.values('tag') ?? [];
  if (known.includes(tag)) return null;
  if (known.length === 0) return 'No asset has tags: load profiles first.';
  const near = nearest(tag, known);
  const hint = near === null ? `Some tags: ${lower(known.slice(0, 10))}` : `Did you mean ${lower([near])}?`;
  return `No asset has the tag ${lower([tag])}. ${hint}`;
}

function lower(tags: readonly string[]): string {
  return tags.map(tag => `'${tag.toLowerCase()}'`).join(', ');
}

function unknownTicker(ticker: string, table: Table, snapshot: Snapshot): string | null {
  if (table.symbols.rowsOf([ticker]).length > 0) return null;
  const [inactive] = snapshot.assetIndex.bySymbol(ticker);
  if (inactive !== undefined) return `${ticker} is not listed: ${inactive.id} is inactive. get_history has its past.`;
  const [near] = nearestAssets(snapshot, ticker);
  const hint = near === undefined ? '' : ` Did you mean '${plainText(near.symbol)}' (${plainText(near.name)})?`;
  return `No asset has the ticker '${ticker}'.${hint}`;
}
