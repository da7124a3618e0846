// `coins/list`: the ids, tickers and names of all coins.

import { textAt } from '../../../snapshot/columns/texts.ts';
import type { Snapshot } from '../../../snapshot/table.ts';
import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { answerLists, listPieces } from '../answers.ts';
import { type AssetColumn, assetColumn } from '../market.ts';
import { flagParameter, wordParameter } from '../parameters.ts';
import { TEXT } from '../schemas.ts';
import { coinGeckoEndpoint } from './endpoint.ts';

export const coinsList = coinGeckoEndpoint({
  id: 'coingeckoCoinsList',
  path: 'coins/list',
  summary: 'The ids, tickers and names of all coins',
  description: 'Ordered by id. Complete for every tier: it has no prices, and programs look ids up in it.',
  parameters: queryParameters<{ include_platform: boolean; status: 'active' | 'inactive' }>(
    {
      include_platform: flagParameter('With `platforms`, which is always empty.'),
      status: wordParameter('Active coins, or those without recent prices.', ['active', 'inactive']),
    },
    'ignored',
  ),
  schema: {
    type: 'array',
    items: exactly({ id: TEXT, symbol: TEXT, name: TEXT, platforms: { type: 'object' } }, ['platforms']),
  },
  readsOptional: false,
  handle: (context, request, { market: { snapshot }, ids }, { include_platform, status }) => {
    const active = assetColumn(snapshot, 'is_active');
    const wanted = status === 'inactive' ? 0 : 1;
    const textAt = (row: number) => {
      if (active.kind !== 'flag' || active.values[row] !== wanted) return null;
      const symbol = textOf(snapshot, 'symbol', row).toLowerCase();
      const coin = { id: ids.idAt(row), symbol, name: textOf(snapshot, 'name', row) };
      return JSON.stringify(include_platform ? { ...coin, platforms: {} } : coin);
    };
    const name = ['coins/list', include_platform, status];
    return answerLists(context, request, snapshot, name, async () => {
      const rows = await request.run(ids.order());
      return { entries: rows.length, pieces: () => listPieces(0, rows.length, i => textAt(rows[i]!)) };
    });
  },
});

function textOf(snapshot: Snapshot, name: AssetColumn, row: number): string {
  const column = assetColumn(snapshot, name);
  return column.kind === 'text' ? (textAt(column, row) ?? '') : '';
}
