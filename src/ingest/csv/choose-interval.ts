// Which bars the rows of a file become: those of the stored interval that their spacing is, or that a person named.

import { BASE_INTERVALS, type BaseInterval } from '../../domain/interval.ts';
import { lengthOf } from '../../domain/period-text.ts';
import type { Spacing } from './spacing.ts';

export interface ChosenInterval {
  readonly interval: BaseInterval;
  /** Rows of a whole period; 1 if that is not known. */
  readonly rowsPerPeriod: number;
}

const KNOWN = BASE_INTERVALS.join(', ');

/** `stated` is what a person or the name of the file says. A problem says what would be right. */
export function chooseInterval(
  spacing: Spacing,
  stated: BaseInterval | undefined,
): ChosenInterval | { readonly problem: string } {
  return stated === undefined ? byStep(spacing) : byName(spacing, stated);
}

function byStep({ kind, step, words }: Spacing): ChosenInterval | { readonly problem: string } {
  if (kind === 'few' || kind === 'days') return { interval: '1d', rowsPerPeriod: 1 };
  if (kind === 'irregular') {
    const problem = `the rows are ${distance(step)} apart or more, without a step that most of them keep`;
    return {
      problem: `${problem}; --interval 1h or 1m loads those at the start of an hour or a minute, --interval 1d makes days of all`,
    };
  }
  const interval = BASE_INTERVALS.find(each => lengthOf(each) === step);
  if (interval !== undefined) return { interval, rowsPerPeriod: 1 };
  const coarser = BASE_INTERVALS.filter(each => lengthOf(each) > step);
  const made = coarser.map(each => `--interval ${each} makes bars of ${each} of them`);
  return { problem: `the rows are ${words} apart, and the store has bars of ${KNOWN}; ${made.join(', ')}` };
}

function byName({ kind, step, words }: Spacing, interval: BaseInterval): ChosenInterval | { readonly problem: string } {
  const length = lengthOf(interval);
  const isLonger = (kind === 'steps' && step > length) || (kind === 'days' && interval !== '1d');
  if (isLonger) {
    const found = BASE_INTERVALS.find(each => lengthOf(each) === step) ?? '1d';
    return {
      problem: `the rows are ${words} apart, too far for bars of ${interval}; load them with --interval ${found}`,
    };
  }
  return { interval, rowsPerPeriod: kind === 'steps' ? length / step : 1 };
}

function distance(millis: number): string {
  const seconds = Math.round(millis / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
