// How many findings there are about the rows in sight: asked for after the rows, so that the first page does not wait for it.

import { tidemark } from '../api.ts';
import { columnsOf } from '../catalog.ts';
import { InSight } from './in-sight.ts';

interface Found {
  readonly symbol: string;
  readonly findings30: number;
}

/** Of the daily bars of the last 30 days, whatever interval and quote the table has. Past days have none. */
export const recentFindings = new InSight<null, number>(
  () => '',
  async symbols => {
    const usual = (await columnsOf('ta-cur')).filter(({ name, group }) => group === undefined && name !== 'symbol');
    const query = {
      symbol: symbols.join(','),
      where: 'findings30 > 0',
      incl_cols: 'findings30',
      excl_cols: usual.map(({ name }) => name),
      limit: symbols.length,
    };
    const { result } = await tidemark.rows<Found>('ta-cur', query).page();
    return new Map(result.map(({ symbol, findings30 }) => [symbol, findings30]));
  },
);
