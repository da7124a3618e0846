// The tool `search_assets`: finds assets by their name, ticker or id.

import { ASSETS } from '../../domain/datasets.ts';
import { execute } from '../../query/execute.ts';
import { parsePlan } from '../../query/parse-plan.ts';
import type { Plan } from '../../query/plan.ts';
import type { Given } from '../arguments.ts';
import { queryText, restUrl } from '../rest-url.ts';
import { tableText } from '../table-text.ts';
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
  example: { text: 'bitcoin' },
  check(given) {
    planOf(given);
    given.integer('limit');
  },
  run(given, context) {
    const plan = planOf(given);
    const table = context.data.snapshot().tables.assets;
    const limit = Math.min(given.integer('limit'), context.maxRows);
    const { rows, total } = execute(plan, table, limit);
    if (total === 0) return `No asset contains ${JSON.stringify(given.text('text'))}. Try a shorter part of the name.`;
    const columns = SHOWN.map(name => ASSETS.columns.findIndex(column => column.name === name));
    const facts = `${total} of ${table.rows} assets match.${rows.length < total ? ` The ${rows.length} best-ranked:` : ''}`;
    const url = restUrl(context, ASSETS.name, { q: given.text('text'), limit: Math.min(total, context.maxRows) });
    return [facts, tableText(table, rows, columns), `All rows: ${url}`].join('\n');
  },
};

function planOf(given: Given): Plan {
  return parsePlan(ASSETS, queryText({ q: given.text('text') }));
}
