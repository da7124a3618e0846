// Whether the volumes of a load can be units of the assets: dollars that are taken for units make an impossible turnover.

import { periodText } from '../domain/period-text.ts';
import type { BarBatch } from './source.ts';

/** In US dollars per bar: more than was ever traded of one asset. */
const MOST_TURNOVER = 5e11;
const TRILLION = 1e12;

export class TurnoverCheck {
  #count = 0;
  #example = '';

  /** Bars that are refused do not count. */
  add({ interval, count, assets, asset, day, close, volume }: BarBatch, refused: Uint8Array): void {
    for (let i = 0; i < count; i++) {
      // False also for an unknown volume.
      if (!(volume[i]! * close[i]! > MOST_TURNOVER) || refused[i] === 1) continue;
      const turnover = (volume[i]! * close[i]!) / TRILLION;
      const { symbol } = assets[asset[i]!]!;
      if (this.#count++ === 0) {
        this.#example = `${symbol} on ${periodText(interval, day[i]!)}: ${Number(turnover.toPrecision(3)).toLocaleString('en-US')} trillion`;
      }
    }
  }

  note(): string | null {
    if (this.#count === 0) return null;
    const bars = this.#count === 1 ? 'one bar has' : `${this.#count} bars have`;
    return `${bars} a turnover above 500 billion dollars, such as ${this.#example}. Volumes in dollars are loaded with --volume-in quote; those in another unit must be converted first`;
  }
}
