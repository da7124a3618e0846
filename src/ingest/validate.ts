// The last gate before the store: every bar that passes is one that the indicators can vouch for.

import { MAX_SYMBOL_LENGTH } from '../domain/asset.ts';
import { type Day, LAST_DAY } from '../domain/day.ts';
import { type BaseInterval, LAST_PERIOD, periodOfMillis } from '../domain/interval.ts';
import { periodText } from '../domain/period-text.ts';
import { isPrice, MAX_PRICE, MIN_PRICE } from '../domain/price.ts';
import { type BarNumbers, dropImpossible } from './impossible.ts';
import type { BarBatch, Reject, SourceContradiction } from './source.ts';

/** The newest period that a bar may be of. */
export function latestPeriod(
  interval: BaseInterval,
  { today, now = Date.now }: { readonly today: Day; readonly now?: () => number },
): number {
  return interval === '1d' ? today : (periodOfMillis(interval, now()) ?? LAST_PERIOD);
}

const bar: BarNumbers = { open: 0, high: 0, low: 0, close: 0, volume: 0 };

/**
 * Reports the bars that must not be stored and marks them in `refused`, which has a place for each bar of the batch. Puts NaN in the
 * place of impossible numbers of the others, and reports these too; `contradicts` gets the highs and lows among them.
 */
export function validateBars(
  batch: BarBatch,
  latest: number,
  refused: Uint8Array,
  report: (reject: Reject) => void,
  contradicts: (found: SourceContradiction) => void = () => {},
): number {
  let bad = 0;
  const isNamed = batch.assets.map(({ symbol }) => symbol.length <= MAX_SYMBOL_LENGTH);
  for (let i = 0; i < batch.count; i++) {
    const acceptable =
      isNamed[batch.asset[i]!]! && batch.day[i]! >= 0 && batch.day[i]! <= latest && isPrice(batch.close[i]!);
    refused[i] = acceptable ? 0 : 1;
    if (acceptable) cleanBar(batch, i, report, contradicts);
    else {
      bad++;
      report(explain(batch, i, latest));
    }
  }
  return bad;
}

function cleanBar(
  batch: BarBatch,
  i: number,
  report: (reject: Reject) => void,
  contradicts: (found: SourceContradiction) => void,
): void {
  bar.open = batch.open[i]!;
  bar.high = batch.high[i]!;
  bar.low = batch.low[i]!;
  bar.close = batch.close[i]!;
  bar.volume = batch.volume[i]!;
  const faults = dropImpossible(bar);
  if (faults === null) return;
  batch.open[i] = bar.open;
  batch.high[i] = bar.high;
  batch.low[i] = bar.low;
  batch.volume[i] = bar.volume;
  const asset = batch.assets[batch.asset[i]!]!;
  if (faults.contradiction !== null) contradicts({ ...faults.contradiction, asset, period: batch.day[i]! });
  const detail = `${faults.text}, of ${asset.symbol}`;
  report({ where: `${batch.origin}:${batch.line[i]}`, reason: 'impossible_number', detail });
}

function explain(batch: BarBatch, i: number, latest: number): Reject {
  const asset = batch.assets[batch.asset[i]!];
  const where = `${batch.origin}:${batch.line[i]}`;
  if (asset !== undefined && asset.symbol.length > MAX_SYMBOL_LENGTH) {
    const start = JSON.stringify(`${asset.symbol.slice(0, 20)}…`);
    const detail = `${start} has ${asset.symbol.length} characters; a ticker has at most ${MAX_SYMBOL_LENGTH}`;
    return { where, reason: 'bad_symbol', detail };
  }
  const of = `of ${asset?.symbol ?? 'an unknown asset'}`;
  const { interval } = batch;
  const period = batch.day[i]!;
  if (period < 0 || period > lastOf(interval)) {
    const what = interval === '1d' ? 'day' : 'period';
    return { where, reason: 'bad_day', detail: `${what} number ${period} ${of} is outside the calendar` };
  }
  if (period > latest) {
    const now = `${interval === '1d' ? 'today' : 'it'} is ${periodText(interval, latest)}${interval === '1d' ? ' (UTC)' : ' now'}`;
    return { where, reason: 'future_day', detail: `${periodText(interval, period)} ${of}; ${now}` };
  }
  const detail = `close ${batch.close[i]} ${of}; a price lies between ${MIN_PRICE} and ${MAX_PRICE}`;
  return { where, reason: 'bad_price', detail };
}

function lastOf(interval: BaseInterval): number {
  return interval === '1d' ? LAST_DAY : LAST_PERIOD;
}
