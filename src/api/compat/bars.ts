// The daily bars of one asset, for charts in the shapes of other services.

import type { Steps } from '../../common/steps.ts';
import { BAR_COLUMNS } from '../../domain/catalogue.ts';
import type { Day } from '../../domain/day.ts';
import { ApiError } from '../../errors.ts';
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

interface Span {
  /** Days, both included. */
  readonly from: number;
  readonly to: number;
  readonly limit?: number;
}

/** The bars of a span of days, oldest first. */
export async function barsBetween(
  context: ServiceContext,
  request: ApiRequest,
  { id }: IndexedAsset,
  span: Span,
): Promise<DailyBar[]> {
  const plan = { interval: '1d', usesOptional: false } as const;
  const { table } = await request.slot(atTurn =>
    barsOf(context)({ by: 'id', text: id }, plan, { run: request.run, atTurn }),
  );
  if (typeof table === 'function') throw new Error('the bars of an asset are not there');
  return request.run(selected(table, span));
}

const ROWS_PER_STEP = 500;

function* selected({ columns, rows }: Rows, { from, to, limit = rows }: Span): Steps<DailyBar[]> {
  const values = (name: (typeof BAR_COLUMNS)[number]['name']) => {
    const column = columns[BAR_COLUMNS.findIndex(each => each.name === name)];
    if (column === undefined || column.kind === 'text') throw new Error(`bars have no numbers ${name}`);
    return column.values;
  };
  const [days, open, high, low] = [values('datetimeUTC'), values('open'), values('high'), values('low')];
  const [close, volume] = [values('close'), values('volume')];
  const found: DailyBar[] = [];
  for (let row = 0; row < rows && found.length < limit; row++) {
    if (row % ROWS_PER_STEP === 0) yield;
    const day = days[row]! as Day; // the column of days
    if (day < from || day > to) continue;
    found.push({
      ...{ day, open: known(open[row]), high: known(high[row]), low: known(low[row]) },
      ...{ close: close[row]!, volume: known(volume[row]) },
    });
  }
  return found;
}

/** A list as JSON, in steps. */
export function* listInSteps<T>(items: readonly T[], textOf: (item: T) => string): Steps<string> {
  let text = '';
  for (const [i, item] of items.entries()) {
    if (i % ROWS_PER_STEP === 0) yield;
    text += (i === 0 ? '' : ',') + textOf(item);
  }
  return `[${text}]`;
}

/** Days of history that every tier includes. */
const DAYS_FOR_ALL = 365;

/** Tiers without exports have a year of history in the shapes of other services, as the free plans of these services have. */
export function requireHistory({ tier }: ApiRequest, days: number): void {
  if (tier.export || days <= DAYS_FOR_ALL) return;
  throw new ApiError('not_in_tier', `The tier ${tier.name} includes the past ${DAYS_FOR_ALL} days.`, {
    hint: 'Ask for fewer days, or ask the operator for an API key of a tier with export=yes.',
  });
}
