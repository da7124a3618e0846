// Rows that wait for the transaction which publishes them.
//
// A transaction runs in one go, while parts are made one after the other; hence they wait, as bytes, in a third of the memory
// that they take as objects. To keep the transaction open meanwhile would lock out whoever counts requests.

import type { AssetKey } from '../../domain/asset.ts';
import type { CurrentPart } from '../store.ts';
import { putValues } from '../values-blob.ts';

export interface PackedPart {
  readonly keys: Uint32Array;
  readonly day: Int32Array;
  readonly history: Uint32Array;
  readonly price: Float64Array;
  /** The indicators of all rows, one after the other, and where those of each row end. */
  readonly indicators: Uint8Array;
  readonly ends: Uint32Array;
  readonly removed: readonly AssetKey[];
}

export function packPart({ rows, removed }: CurrentPart): PackedPart {
  const written = new Set<AssetKey>();
  const packed = {
    keys: new Uint32Array(rows.length),
    day: new Int32Array(rows.length),
    history: new Uint32Array(rows.length),
    price: new Float64Array(rows.length),
    indicators: new Uint8Array(rows.reduce((size, row) => size + row.values.byteLength, 0)),
    ends: new Uint32Array(rows.length),
  };
  const target = new DataView(packed.indicators.buffer);
  let end = 0;
  for (const [i, { key, day, history, price, values }] of rows.entries()) {
    written.add(key);
    packed.keys[i] = key;
    packed.day[i] = day;
    packed.history[i] = history;
    packed.price[i] = price;
    putValues(target, end, values);
    end += values.byteLength;
    packed.ends[i] = end;
  }
  return { ...packed, removed: removed.filter(key => !written.has(key)) };
}

export function indicatorsOf({ indicators, ends }: PackedPart, row: number): Uint8Array {
  return indicators.subarray(row === 0 ? 0 : ends[row - 1]!, ends[row]!);
}
