// Parses the parameters of a dataset whose rows are the days of one asset: which asset, and which days.

import { tickerKey } from '../../domain/asset-state.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { type Day, isoFromDay, parseDayText } from '../../domain/day.ts';
import { ApiError } from '../../errors.ts';
import type { ParameterName } from '../parameters.ts';
import { invalidValue, listItems } from './parse-values.ts';
import type { AssetChoice, Filter } from './plan.ts';

type Given = ReadonlyMap<ParameterName, string>;

export function parseAssetChoice(given: Given): AssetChoice {
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

/** `from` and `to` as a range of days; none if neither is given. */
export function parseDays(dataset: Dataset, given: Given): Filter[] {
  const [from, to] = [parseDay('from', given), parseDay('to', given)];
  if (from === null && to === null) return [];
  if (from !== null && to !== null && from > to) {
    throw new ApiError('invalid_range', `from is ${isoFromDay(from)}, which is after to, ${isoFromDay(to)}.`, {
      param: 'from',
      hint: 'Both days are included; for a single day, use it for from and to.',
    });
  }
  const column = dataset.columns.findIndex(({ kind }) => kind === 'time');
  return [{ kind: 'range', column, low: from ?? Number.NEGATIVE_INFINITY, high: to ?? Number.POSITIVE_INFINITY }];
}

function parseDay(name: 'from' | 'to', given: Given): Day | null {
  const text = given.get(name)?.trim();
  if (text === undefined) return null;
  const day = parseDayText(text);
  if (day === null) throw invalidValue(name, text);
  return day;
}
