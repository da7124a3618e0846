// The optional columns against TA-Lib, the library that most traders' tools use. Its package for Python is optional: without it
// these tests are skipped. `pip install TA-Lib` installs it; TIDEMARK_PYTHON names another Python than `python3`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { OPTIONAL_COMPUTED } from '../../../src/domain/catalogue.ts';
import { dailyBars } from '../../../src/indicators/calendar.ts';
import { optionalColumns } from '../../../src/indicators/optional.ts';
import { benchmarkOf } from '../../../src/indicators/return-series.ts';
import { barsAround, columnsOf } from '../../support/oracle/bars.ts';
import { fixedSeries, SERIES_KINDS, uniform } from '../../support/oracle/series.ts';

/** Reads `{close, high, low, benchmark}` and writes every column on every day, null where TA-Lib has no value. */
const SCRIPT = `
import sys, json, math
try:
    import numpy, talib
except ImportError as error:
    sys.exit(f'{error}')
bars = {name: numpy.array(values) for name, values in json.load(sys.stdin).items()}
close, high, low = bars['close'], bars['high'], bars['low']
columns = {f'ema{n}': talib.EMA(close, n) for n in (10, 12, 20, 26, 50, 100, 200)}
columns.update({f'rsi{n}': talib.RSI(close, n) for n in (7, 14, 21)})
columns['macd'], columns['macd_signal'], columns['macd_hist'] = talib.MACD(close, 12, 26, 9)
columns['bb20_upper'], middle, columns['bb20_lower'] = talib.BBANDS(close, 20, 2, 2)
columns['zscore20'] = (close - middle) / talib.STDDEV(close, 20)
columns['stoch14'], columns['stoch14_d'] = talib.STOCHF(high, low, close, 14, 3)
columns['atr14'] = talib.ATR(high, low, close, 14)
columns['max365'], columns['min365'] = talib.MAX(close, 365), talib.MIN(close, 365)
returns = [numpy.concatenate(([0.0], numpy.diff(numpy.log(series)))) for series in (close, bars['benchmark'])]
columns['corr90'] = talib.CORREL(*returns, 90)
columns['corr90'][:90] = math.nan
json.dump({name: [None if math.isnan(v) else v for v in values] for name, values in columns.items()}, sys.stdout)
`;

const DAYS = 900;
const bars = barsAround(fixedSeries(SERIES_KINDS['a random walk']!, DAYS, 31), uniform(32));
const benchmark = barsAround(fixedSeries(SERIES_KINDS['a random walk']!, DAYS, 33), uniform(34));

function runTaLib(): Record<string, (number | null)[]> | string {
  const input = JSON.stringify({ close: bars.close, high: bars.high, low: bars.low, benchmark: benchmark.close });
  const python = process.env['TIDEMARK_PYTHON'] ?? 'python3';
  const { status, stdout, stderr, error } = spawnSync(python, ['-c', SCRIPT], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return JSON.parse(stdout) as Record<string, (number | null)[]>; // as the script writes it
  return `TA-Lib cannot be used here (${(error?.message ?? stderr).trim()}); pip install TA-Lib`;
}

/** Days until the other seed of TA-Lib's MACD has faded: (25/27)^n is then below 1e-14. */
const CONVERGED = 450;
/** Rolling sums lose digits: relative to 1, the largest correlation. */
const ABSOLUTE: ReadonlySet<string> = new Set(['corr90']);

describe('optional columns agree with TA-Lib to 1e-9', () => {
  const theirs = runTaLib();
  if (typeof theirs === 'string') {
    it('on every day', { skip: theirs }, () => {});
    return;
  }
  const ours = optionalColumns(dailyBars(columnsOf(bars)), benchmarkOf(dailyBars(columnsOf(benchmark))));
  for (const [name, values] of Object.entries(theirs)) {
    it(name, () => {
      let compared = 0;
      for (const [day, value] of values.entries()) {
        if (value === null || (name.startsWith('macd') && day < CONVERGED)) continue;
        const own = ours[OPTIONAL_COMPUTED.findIndex(column => column.name === name)]![day]!;
        // A difference of averages may be near 0: its error is relative to them.
        const scale = ABSOLUTE.has(name) ? 1 : name.startsWith('macd') ? bars.close[day]! : Math.abs(value);
        assert.ok(Math.abs(own - value) <= 1e-9 * scale, `day ${day}: ${own}, TA-Lib says ${value}`);
        compared++;
      }
      assert.ok(compared >= 400, `${compared} days were compared`);
    });
  }
});
