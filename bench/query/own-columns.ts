// A publication with columns of one's own against one with the built-in optional columns alone.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OWN_COLUMNS_VARIABLE } from '../../src/domain/own/language.ts';
import { duration } from '../report.ts';

const SCRIPT = join(import.meta.dirname, 'own-publication.ts');
/** At most this many times as long. */
const TARGET = 1.5;
const RUNS = 6;

const COLUMNS = {
  ema9: 'ema(close, 9)',
  squeeze: 'stdev(close, 20) / atr(14)',
  activity: 'sma(volume, 7) / sma(volume, 30)',
  swing: 'change(close, 14) - change(close, 28)',
  rsi9: 'rsi(close, 9)',
  channel: '(close - min(low, 20)) / (max(high, 20) - min(low, 20))',
  slope: 'wma(close, 20) / wma(close, 50)',
  calm: 'zscore(close, 60)',
};

async function publication(columns: Readonly<Record<string, string>> | null): Promise<number> {
  const { [OWN_COLUMNS_VARIABLE]: _, ...env } = process.env;
  const own = columns === null ? {} : { [OWN_COLUMNS_VARIABLE]: JSON.stringify(columns) };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], { env: { ...env, ...own } });
  return JSON.parse(stdout) as number; // the script prints one
}

/** The fastest of some, in turns, so that a busy moment of the machine meets both. */
export async function ownColumnsReport(log: (text: string) => void): Promise<string> {
  let [without, withOwn] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < RUNS; i++) {
    without = Math.min(without, await publication(null));
    withOwn = Math.min(withOwn, await publication(COLUMNS));
  }
  const ratio = `${(withOwn / without).toFixed(2)} ×`;
  log(
    `a publication with ${Object.keys(COLUMNS).length} columns of one's own ${duration(withOwn)}, without ${duration(without)}: ${ratio}`,
  );
  return [
    `Columns of one's own: a publication of one new day of 2,000 assets in SQLite, with the built-in optional columns, and with these ${Object.keys(COLUMNS).length} too, the least of several: ${Object.values(
      COLUMNS,
    )
      .map(text => `\`${text}\``)
      .join(', ')}.`,
    '',
    '| publication | processor time | ratio | target |',
    '|---|--:|--:|--:|',
    `| built-in optional columns | ${duration(without)} | | |`,
    `| and columns of one's own | ${duration(withOwn)} | ${ratio} | ≤ ${TARGET} × |`,
  ].join('\n');
}
