// The optional columns against TA-Lib, if its package for Python is there: every day of many assets, one thread.

import { spawnSync } from 'node:child_process';
import { FIRST_DAY } from '../../src/domain/day.ts';
import type { DailyBars } from '../../src/indicators/calendar.ts';
import { benchmarkOf, optionalColumns } from '../../src/indicators/optional.ts';
import { COMPUTED_NAMES, optionalTable } from '../../src/indicators/optional-table.ts';
import { type Contender, comparison, median } from '../report.ts';
import { randomWalks } from './data.ts';

const [ASSETS, DAYS] = [500, 1_000];

/** The columns that TA-Lib has; ours are all of them. The data is made there, because only the time matters. */
const TA_LIB = `
import time, numpy, talib
close = 100 * numpy.exp(numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.04, (${ASSETS}, ${DAYS})), axis=1))
high, low = close * 1.03, close * 0.97
def every_asset():
    for c, h, l in zip(close, high, low):
        for n in (10, 12, 20, 26, 50, 100, 200): talib.EMA(c, n)
        for n in (7, 14, 21): talib.RSI(c, n)
        talib.MACD(c, 12, 26, 9); talib.BBANDS(c, 20, 2, 2); talib.STOCHF(h, l, c, 14, 3); talib.ATR(h, l, c, 14)
        talib.MAX(c, 365); talib.MIN(c, 365)
times = []
for _ in range(5):
    began = time.perf_counter(); every_asset(); times.append(time.perf_counter() - began)
print(sorted(times)[2] * 1000)
`;

export function optionalBench(log: (text: string) => void): string {
  log(`optional columns of ${ASSETS} assets × ${DAYS} days`);
  const { closes } = randomWalks(ASSETS, DAYS);
  const assets = Array.from({ length: ASSETS }, (_, i): DailyBars => {
    const own = closes.subarray(i * DAYS, (i + 1) * DAYS);
    const [highs, lows] = [own.map(close => close * 1.03), own.map(close => close * 0.97)];
    return { firstDay: FIRST_DAY, closes: own, opens: own, highs, lows, volumes: own };
  });
  const benchmark = benchmarkOf(assets[0]!);
  const [last, every] = [optionalTable(1), optionalTable(DAYS)];
  const current = median(3, () => {
    for (const bars of assets) optionalColumns(bars, benchmark, DAYS - 1, last);
  });
  const contenders: Contender[] = [
    {
      name: `**Tidemark**, all ${COMPUTED_NAMES.length} columns, every day`,
      millis: median(3, () => {
        for (const bars of assets) optionalColumns(bars, benchmark, 0, every);
      }),
    },
    { name: `Tidemark, all ${COMPUTED_NAMES.length} columns, the last day`, millis: current },
  ];
  const { status, stdout } = spawnSync(process.env['TIDEMARK_PYTHON'] ?? 'python3', ['-c', TA_LIB], {
    encoding: 'utf8',
  });
  if (status === 0) contenders.push({ name: 'TA-Lib, the 21 columns that it has, every day', millis: Number(stdout) });
  else log('TA-Lib is not installed: pip install TA-Lib');
  return `### (c) The optional columns: ${ASSETS} assets × ${DAYS.toLocaleString('en')} days, one thread

${comparison(contenders)}

TA-Lib computes with doubles alone; MACD and Bollinger bands here run in double-double arithmetic to keep 12 digits.`;
}
