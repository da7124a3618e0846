// An expression that reads an earlier day against the same one without it, once the columns of that day are in memory.

import { TA_CUR } from '../../src/domain/datasets.ts';
import { type EarlierValues, lagName, withEarlier } from '../../src/query/execute/earlier-values.ts';
import { execute } from '../../src/query/execute/execute.ts';
import { TUNING } from '../../src/query/execute/tuning.ts';
import { parsePlan } from '../../src/query/parse/parse-plan.ts';
import type { Plan } from '../../src/query/parse/plan.ts';
import { pageOf } from '../../src/render/computed-page.ts';
import { JSON_PAGE } from '../../src/render/json.ts';
import { renderPage } from '../../src/render/page.ts';
import { buildSnapshot } from '../../src/snapshot/build/build.ts';
import type { Table } from '../../src/snapshot/table.ts';
import { duration } from '../report.ts';
import { universe } from './universe.ts';

const ASSETS = 100_000;
const RUNS = 400;
const LIMIT = 100;
/** At most this many times as long. */
const TARGET = 2;
const AFRESH = { ...TUNING, bitmapCacheBytes: 0 };

const PAIRS = [
  ['where=sma50 > 1.02 * sma200', 'where=sma50 > 1.02 * lag(sma200, 1)'],
  // Few rows pass, so that all are looked at.
  ['where=sma50 > 3 * sma200', 'where=sma50 > 3 * lag(sma200, 1)'],
  ['calc=x:sma50 / sma200&sort=x', 'calc=x:sma50 / lag(sma200, 1)&sort=x'],
] as const;

/** As columns of an earlier day: only their reading is measured. */
function earlierValues({ lags }: Plan, table: Table): EarlierValues {
  return new Map(
    lags.map(lag => {
      const data = table.columns[lag.column];
      if (data?.kind !== 'number') throw new TypeError('a column of numbers is needed');
      return [lagName(lag), { values: Float64Array.from(data.values, value => 0.99 * value) }];
    }),
  );
}

function median(table: Table, written: string): number {
  const query = encodeURI(written);
  const earlier = earlierValues(parsePlan(TA_CUR, query), table);
  const work = () => {
    const plan = withEarlier(parsePlan(TA_CUR, query), earlier);
    const { rows } = execute(plan, table, LIMIT, AFRESH);
    renderPage(pageOf(plan, table, rows), JSON_PAGE);
  };
  const times = Float64Array.from({ length: 2 * RUNS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.subarray(RUNS).sort()[RUNS >> 1]!;
}

export function earlierReport(log: (text: string) => void): string {
  const table = buildSnapshot(universe(ASSETS)).tables['ta-cur'];
  const rows = PAIRS.map(([plain, lagged]) => {
    const [without, with_] = [median(table, plain), median(table, lagged)];
    const ratio = `${(with_ / without).toFixed(2)} ×`;
    log(`${lagged.padEnd(42)} ${duration(with_)}, without it ${duration(without)}: ${ratio}`);
    return `| \`${lagged}\` | ${duration(with_)} | \`${plain}\` | ${duration(without)} | ${ratio} | ≤ ${TARGET} × |`;
  });
  return [
    `Earlier days, on ${ASSETS.toLocaleString('en')} assets: an expression with \`lag\` once the columns of that day are in memory, and one without it; the median of ${RUNS} answers.`,
    '',
    '| with an earlier day | time | without | time | ratio | target |',
    '|---|--:|---|--:|--:|--:|',
    ...rows,
  ].join('\n');
}
