// The tool `search_assets`: finds assets by their name, ticker or id.

import { tickerKey } from '../../domain/asset-state.ts';
import { ASSETS } from '../../domain/datasets.ts';
import { execute } from '../../query/execute/execute.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { columnOf, type Snapshot, type Table } from '../../snapshot/table.ts';
import type { Arguments } from '../arguments.ts';
import { described, nearestAssets } from '../find-asset.ts';
import { listingUrl, queryText } from '../rest-url.ts';
import { cellText, tableText } from '../table-text.ts';
import type { Tool } from '../tool.ts';

const SHOWN = ['id', 'symbol', 'name', 'rank', 'type', 'is_active', 'first_data_at', 'last_data_at'];

export const searchAssets: Tool = {
  name: 'search_assets',
  title: 'Search assets',
  description:
    'Finds assets by a part of their name, ticker or id, best-ranked first, inactive ones included. Use it to turn a name into the id that ' +
    'get_asset and get_history take. Example: {"text":"bitcoin"}. Not for prices or indicators: use screen_assets.',
  arguments: {
    text: { type: 'text', required: true, doc: 'Part of a name, ticker or id, such as bitcoin.' },
    limit: { type: 'integer', max: 100, default: 10, doc: 'Rows.' },
  },
  example: ({ name }) => ({ text: name }),
  check(given) {
    planOf(given);
    given.integer('limit');
  },
  run(given, context) {
    const plan = planOf(given);
    const snapshot = context.data.snapshot();
    const table = snapshot.tables.assets;
    const wanted = given.integer('limit');
    const limit = Math.min(wanted, context.maxRows);
    const { rows, total } = execute(plan, table, limit);
    if (total === 0) return nothingFound(snapshot, given.text('text') ?? '');
    const columns = SHOWN.map(name => ASSETS.columns.findIndex(column => column.name === name));
    const facts = [
      `${total} of ${table.rows} assets match.`,
      rows.length < total ? `The ${rows.length} best-ranked are shown.` : '',
      limit < wanted && total > limit ? `The tier of the API key allows ${limit} rows.` : '',
      ...given.notes,
      hasSharedTicker(table, rows) ? SHARED_TICKER : '',
    ];
    const url = listingUrl(context, ASSETS, { q: given.text('text'), limit: Math.min(total, context.maxRows) });
    return [facts.filter(Boolean).join(' '), tableText(table, rows, columns), `All rows: ${url}`].join('\n');
  },
};

const SHARED_TICKER =
  'Assets share a ticker: screen_assets shows the active one with the best rank. Name the others by id.';

function hasSharedTicker(table: Table, rows: Uint32Array): boolean {
  const symbols = columnOf(table, 'symbol', 'text');
  return new Set(Array.from(rows, row => tickerKey(cellText(symbols, row)))).size < rows.length;
}

function nothingFound(snapshot: Snapshot, text: string): string {
  const near = nearestAssets(snapshot, text).map(described);
  const hint = near.length === 0 ? 'Try a shorter part of the name.' : `Did you mean ${near.join(' or ')}?`;
  return `No asset contains ${JSON.stringify(text)} in its name, ticker or id. ${hint}`;
}

function planOf(given: Arguments): Plan {
  return parsePlan(ASSETS, queryText({ q: given.text('text') }));
}
