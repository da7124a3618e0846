// Parses the parameters of a dataset whose rows are the periods of one asset: which asset, and which periods.

import { tickerKey } from '../../domain/asset-state.ts';
import type { Dataset } from '../../domain/datasets.ts';
import {
  type Interval,
  isFinerThanDay,
  isoOfPeriod,
  LAST_PERIOD,
  lastPeriodOfTime,
  parseTime,
  placeOfTime,
  type WrittenTime,
} from '../../domain/interval.ts';
import { ApiError } from '../../errors.ts';
import type { ParameterName } from '../parameters.ts';
import { invalidValue, listItems } from './parse-values.ts';
import type { AssetChoice, Filter } from './plan.ts';

type ParameterTexts = ReadonlyMap<ParameterName, string>;

export function parseAssetChoice(given: ParameterTexts): AssetChoice {
  const [symbol, id] = [given.get('symbol'), given.get('id')];
  if (symbol !== undefined && id !== undefined) {
    throw new ApiError('conflicting_parameters', 'The request has both symbol and id.', {
      param: 'symbol',
      hint: 'Remove symbol: an id names one asset, a ticker may belong to several.',
    });
  }
  if (id !== undefined) return { by: 'id', text: nonEmpty(id) };
  if (symbol !== undefined) return { by: 'symbol', text: tickerKey(onlyTicker(symbol)) };
  throw new ApiError('missing_parameter', 'The request does not name an asset.', {
    param: 'symbol',
    hint: 'Add symbol=BTC or id=btc-bitcoin. Search for assets with assets?q=bitcoin.',
  });
}

function nonEmpty(id: string): string {
  if (id.trim() === '') throw invalidValue('id', '');
  return id;
}

function onlyTicker(text: string): string {
  const [ticker, ...others] = listItems(text);
  if (ticker === undefined || others.length > 0) throw invalidValue('symbol', text, 'one ticker here');
  return ticker;
}

/** `from` and `to` as a range of periods; none if neither is given. */
export function parsePeriods(dataset: Dataset, interval: Interval, given: ParameterTexts): Filter[] {
  const [from, to] = [parseBound('from', given), parseBound('to', given)];
  if (from === null && to === null) return [];
  const unit = isFinerThanDay(interval) ? interval : '1d';
  if (from !== null && to !== null && firstOf(unit, from) > lastOf(unit, to)) {
    const first = isoOfPeriod(unit, firstOf(unit, from));
    const last = to.millis < 0 ? 'before 1970' : isoOfPeriod(unit, lastOf(unit, to));
    throw new ApiError('invalid_range', `from is ${first}, which is after to, ${last}.`, {
      param: 'from',
      hint: 'Both days are included; for a single day, use it for from and to.',
    });
  }
  const column = dataset.columns.findIndex(({ kind }) => kind === 'time');
  const low = from === null ? Number.NEGATIVE_INFINITY : firstOf(interval, from);
  // Of periods longer than a day, those that start up to that day.
  const high = to === null ? Number.POSITIVE_INFINITY : lastOf(interval, to);
  return [{ kind: 'range', column, low, high }];
}

/** No bar is older than 1970. */
const BEFORE_ALL = -1;

function firstOf(interval: Interval, time: WrittenTime): number {
  return placeOfTime(interval, time) ?? BEFORE_ALL;
}

function lastOf(interval: Interval, time: WrittenTime): number {
  return time.millis < 0 ? BEFORE_ALL : (lastPeriodOfTime(interval, time) ?? LAST_PERIOD);
}

function parseBound(name: 'from' | 'to', given: ParameterTexts): WrittenTime | null {
  const text = given.get(name)?.trim();
  if (text === undefined) return null;
  const time = parseTime(text);
  if (time === null) throw invalidValue(name, text);
  return time;
}
