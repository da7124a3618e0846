// The last gate before the store: every bar that passes is one that the indicators can vouch for.

import { MAX_SYMBOL_LENGTH } from '../domain/asset.ts';
import { type Day, isDay, isoFromDay } from '../domain/day.ts';
import { isPrice, MAX_PRICE, MIN_PRICE } from '../domain/price.ts';
import type { BarBatch, Reject } from './source.ts';

/** Reports the bars that must not be stored and marks them in `refused`, which has a place for each bar of the batch. */
export function validateBars(
  batch: BarBatch,
  today: Day,
  refused: Uint8Array,
  report: (reject: Reject) => void,
): number {
  let bad = 0;
  const isNamed = batch.assets.map(({ symbol }) => symbol.length <= MAX_SYMBOL_LENGTH);
  for (let i = 0; i < batch.count; i++) {
    const acceptable =
      isNamed[batch.asset[i]!]! &&
      isDay(batch.day[i]!) &&
      batch.day[i]! <= today &&
      isPrice(batch.close[i]!) &&
      isPriceOrUnknown(batch.open[i]!) &&
      isPriceOrUnknown(batch.high[i]!) &&
      isPriceOrUnknown(batch.low[i]!) &&
      isVolumeOrUnknown(batch.volume[i]!);
    refused[i] = acceptable ? 0 : 1;
    if (acceptable) continue;
    bad++;
    report(explain(batch, i, today));
  }
  return bad;
}

function isPriceOrUnknown(value: number): boolean {
  return Number.isNaN(value) || isPrice(value);
}

function isVolumeOrUnknown(value: number): boolean {
  return Number.isNaN(value) || (value >= 0 && value < Number.POSITIVE_INFINITY);
}

function explain(batch: BarBatch, i: number, today: Day): Reject {
  const asset = batch.assets[batch.asset[i]!];
  const where = `${batch.origin}:${batch.line[i]}`;
  if (asset !== undefined && asset.symbol.length > MAX_SYMBOL_LENGTH) {
    const start = JSON.stringify(`${asset.symbol.slice(0, 20)}…`);
    const detail = `${start} has ${asset.symbol.length} characters; a ticker has at most ${MAX_SYMBOL_LENGTH}`;
    return { where, reason: 'bad_symbol', detail };
  }
  const of = `of ${asset?.symbol ?? 'an unknown asset'}`;
  const day = batch.day[i]!;
  if (!isDay(day)) return { where, reason: 'bad_day', detail: `day number ${day} ${of} is outside the calendar` };
  if (day > today) {
    return { where, reason: 'future_day', detail: `${isoFromDay(day)} ${of}; today is ${isoFromDay(today)} (UTC)` };
  }
  if (!isPrice(batch.close[i]!)) {
    const detail = `close ${batch.close[i]} ${of}; a price lies between ${MIN_PRICE} and ${MAX_PRICE}`;
    return { where, reason: 'bad_price', detail };
  }
  for (const name of ['open', 'high', 'low'] as const) {
    if (!isPriceOrUnknown(batch[name][i]!)) {
      return {
        where,
        reason: 'bad_price',
        detail: `${name} ${batch[name][i]} ${of}; leave it empty where it is unknown`,
      };
    }
  }
  return { where, reason: 'bad_number', detail: `volume ${batch.volume[i]} ${of}; it is zero or more, or empty` };
}
