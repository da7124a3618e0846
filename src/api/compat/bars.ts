// The bars of one asset, for charts in the shapes of other services.

import { partitionPoint } from '../../common/partition-point.ts';
import { type Day, MILLIS_PER_DAY } from '../../domain/day.ts';
import type { DailyInterval } from '../../domain/interval.ts';
import { ApiError } from '../../errors.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import type { IndexedAsset } from '../../snapshot/asset-index.ts';
import { columnOf, type Rows } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { barsOf } from '../endpoints/bars.ts';
import { known, product } from './market.ts';

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Values are read row by row, where they are: a long history takes no more memory for each client. */
export class AssetBars {
  /** Oldest first. */
  readonly rows: number;
  readonly #days: Int32Array;
  readonly #numbers: Readonly<Record<(typeof NUMBERS)[number], Float64Array>>;

  constructor(table: Rows) {
    this.rows = table.rows;
    this.#days = columnOf(table, 'datetimeUTC', 'day').values;
    const columns = NUMBERS.map(name => [name, columnOf(table, name, 'number').values]);
    this.#numbers = Object.fromEntries(columns); // each name of the type
  }

  day(row: number): Day {
    return this.#days[row]! as Day; // the column of days
  }

  /** `volume` in units of the asset. */
  number(row: number, name: (typeof NUMBERS)[number]): number | null {
    return known(this.#numbers[name][row]);
  }

  /** In dollars. */
  turnover(row: number): number | null {
    return product(this.number(row, 'volume'), this.number(row, 'close'));
  }

  /** The rows between two places, both included, if places ascend from day to day: the first row, and the one behind the last. */
  between(placeOf: (day: Day) => number, from: number, to: number): readonly [first: number, end: number] {
    const first = partitionPoint(0, this.rows, row => placeOf(this.day(row)) < from);
    return [first, partitionPoint(first, this.rows, row => placeOf(this.day(row)) <= to)];
  }
}

export async function readBars(
  context: ServiceContext,
  request: ApiRequest,
  { id }: IndexedAsset,
  interval: DailyInterval = '1d',
): Promise<AssetBars> {
  const plan = { interval, usesOptional: false };
  const { table } = await request.slot(atTurn =>
    barsOf(context)({ by: 'id', text: id }, plan, { run: request.run, atTurn }),
  );
  if (typeof table === 'function') throw new Error('the bars of an asset are not there');
  return new AssetBars(table);
}

/** Days of history that every tier includes. */
const DAYS_FOR_ALL = 365;

/** The first day of history that the tier includes, in days since 1970. */
export function firstDayFor({ tier }: ApiRequest, now: number): number {
  return tier.export ? 0 : Math.floor(now / MILLIS_PER_DAY) - DAYS_FOR_ALL;
}

/** Tiers without exports have a year of history in the shapes of other services, as the free plans of these services have. */
export function requireHistory({ tier }: ApiRequest, days: number): void {
  if (tier.export || days <= DAYS_FOR_ALL) return;
  throw new ApiError('not_in_tier', `The tier ${tier.name} includes the past ${DAYS_FOR_ALL} days.`, {
    hint: 'Ask for fewer days, or ask the operator for an API key of a tier with export=yes.',
  });
}
