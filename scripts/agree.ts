// Random requests that SQLite, PostgreSQL, a plain scan and DuckDB must answer alike, value by value and in order.
//
//   npm run agree                                      1,000 requests of seed 1
//   npm run agree -- --seed 7 --count 20000            more, of another market
//   npm run agree -- --seed 7 --assets 1500            a larger market, for the ways that only large tables take
//   npm run agree -- --seed 7 --first 123 --count 1    one of them again, as small as it still fails

import { parseArgs, styleText } from 'node:util';
import { ASSETS, agree } from '../test/agree/run.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { numberOption } from './number-option.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    first: { type: 'string', default: '0' },
    assets: { type: 'string', default: String(ASSETS) },
  },
});

const seed = numberOption('agree', 'seed', values.seed);
const count = numberOption('agree', 'count', values.count);
const first = numberOption('agree', 'first', values.first);
const assets = numberOption('agree', 'assets', values.assets);
useMemoryFolder();
const began = performance.now();
const { requests, byDuckDb, rows, differences } = await agree({ seed, count, first, assets, onDone: report });
for (const { command, path, what } of differences) {
  process.stdout.write(`\n${styleText('red', '✗')} ${what}\n${path === null ? '' : `  GET ${path}\n`}  ${command}\n`);
}
const seconds = ((performance.now() - began) / 1000).toFixed(0);
process.stdout.write(
  `seed ${seed}: ${requests} answers compared (${byDuckDb} also with DuckDB), ${rows} rows, ${differences.length} differences, ${seconds} s\n`,
);
process.exitCode = differences.length > 0 ? 1 : 0;

function report(done: number): void {
  if (process.stderr.isTTY && done % 100 === 0) process.stderr.write(`\r${done} of ${count}`);
}
