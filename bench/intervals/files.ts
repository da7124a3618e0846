// CSV files with whole bars of minutes or days.

import { closeSync, openSync, writeSync } from 'node:fs';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** A midnight. */
const START = Date.parse('2025-01-01T00:00:00Z');

export interface BarFile {
  readonly assets: number;
  /** Of each asset. */
  readonly bars: number;
  readonly unit: 'minute' | 'day';
  /** Of each asset, in earlier files; below 0: the file begins before them. */
  readonly from?: number;
  /** Assets and periods as whole numbers, which are the keys of our tables. */
  readonly numbers?: boolean;
}

/** The first period of a file without `from`. */
export const FIRST_MINUTE: number = START / MINUTE;

/** `symbol,time,open,high,low,close,volume`, sorted by asset, then by time; returns the number of bars. */
export function writeBars(path: string, { assets, bars, unit, from = 0, numbers = false }: BarFile): number {
  const file = openSync(path, 'w');
  writeSync(file, 'symbol,time,open,high,low,close,volume\n');
  const step = unit === 'minute' ? MINUTE : DAY;
  const timeText = (time: number) => (numbers ? String(time / step) : `${new Date(time).toISOString().slice(0, 16)}Z`);
  const times = Array.from({ length: bars }, (_, i) => timeText(START + (from + i) * step));
  let state = 7;
  for (let asset = 0; asset < assets; asset++) {
    let open = 1 + (asset % 1000);
    let text = '';
    for (const time of times) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const share = state / 2 ** 32;
      const close = open * (0.997 + 0.00601 * share);
      const [high, low] = [Math.max(open, close) * (1 + 0.001 * share), Math.min(open, close) * (1 - 0.001 * share)];
      const cells = [open, high, low, close, 1e6 * share].map(value => value.toPrecision(8));
      text += `${numbers ? '' : 'S'}${asset},${time},${cells.join()}\n`;
      open = Number(cells[3]);
      if (text.length > 2 ** 20) {
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
  }
  closeSync(file);
  return assets * bars;
}
