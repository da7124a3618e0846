// The daily bars of one asset, for charts in the shapes of other services.

import { BAR_COLUMNS } from '../../domain/catalogue.ts';
import type { Day } from '../../domain/day.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import type { IndexedAsset } from '../../snapshot/asset-index.ts';
import type { Rows } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { barsOf } from '../endpoints/bars.ts';
import { known } from './market.ts';

export interface DailyBar {
  readonly day: Day;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number;
  /** In units of the asset. */
  readonly volume: number | null;
}

/** The bars of the days from `from` to `to`, both included, oldest first; at most `limit` of them. */
export async function barsBetween(
  context: ServiceContext,
  request: ApiRequest,
  asset: IndexedAsset,
  [from, to]: readonly [from: number, to: number],
  limit: number = Number.POSITIVE_INFINITY,
): Promise<DailyBar[]> {
  const { table } = await request.slot(atTurn =>
    barsOf(context)(
      { by: 'id', text: asset.id },
      { interval: '1d', usesOptional: false },
      { run: request.run, atTurn },
    ),
  );
  if (typeof table === 'function') throw new Error('the bars of an asset are not there');
  const found: DailyBar[] = [];
  for (let row = 0; row < table.rows && found.length < limit; row++) {
    const bar = barAt(table, row);
    if (bar.day >= from && bar.day <= to) found.push(bar);
  }
  return found;
}

function barAt({ columns }: Rows, row: number): DailyBar {
  const at = (name: (typeof BAR_COLUMNS)[number]['name']) => {
    const column = columns[BAR_COLUMNS.findIndex(each => each.name === name)];
    if (column === undefined || column.kind === 'text') throw new Error(`bars have no numbers ${name}`);
    return column.values[row]!;
  };
  const [open, high, low] = [known(at('open')), known(at('high')), known(at('low'))];
  // The table holds days in this column.
  return { day: at('datetimeUTC') as Day, open, high, low, close: at('close'), volume: known(at('volume')) };
}
