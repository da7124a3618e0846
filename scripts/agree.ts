// Random requests that SQLite, PostgreSQL, a plain scan and DuckDB must answer alike, value by value and in order.
//
//   npm run agree                                      1,000 requests of seed 1
//   npm run agree -- --seed 7 --count 20000            more, of another market
//   npm run agree -- --seed 7 --assets 1500            a larger market, for the ways that only large tables take
//   npm run agree -- --seed 7 --first 123 --count 1    one of them again, as small as it still fails
//   npm run agree -- --seeds 20 --count 5000 --report  seeds 1 to 20, and their rows in docs/reports/agree.md

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { type AgreeResult, ASSETS, agree } from '../test/agree/run.ts';
import { commitOf } from './commit.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { numberOption } from './number-option.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    first: { type: 'string', default: '0' },
    assets: { type: 'string', default: String(ASSETS) },
    report: { type: 'boolean', default: false },
  },
});

interface Ran extends AgreeResult {
  readonly seed: number;
  readonly seconds: number;
}

const REPORT = join(import.meta.dirname, '../docs/reports/agree.md');

const seed = numberOption('agree', 'seed', values.seed);
const seeds = numberOption('agree', 'seeds', values.seeds);
const count = numberOption('agree', 'count', values.count);
const first = numberOption('agree', 'first', values.first);
const assets = numberOption('agree', 'assets', values.assets);
useMemoryFolder();
const commit = values.report ? commitOf() : '';
const ran: Ran[] = [];
for (let each = seed; each < seed + seeds; each++) {
  const began = performance.now();
  const result = await agree({ seed: each, count, first, assets, onDone: showDone });
  const found = { ...result, seed: each, seconds: Math.round((performance.now() - began) / 1000) };
  ran.push(found);
  print(found);
  // After every seed: a run that is stopped leaves the report of those that ended.
  if (values.report) writeFileSync(REPORT, reportOf(found));
}
process.exitCode = ran.some(({ differences }) => differences.length > 0) ? 1 : 0;

function print({ seed: of, requests, byDuckDb, withInterval, withQuote, rows, differences, seconds }: Ran): void {
  for (const { command, path, what } of differences) {
    process.stdout.write(`\n${styleText('red', '✗')} ${what}\n${path === null ? '' : `  GET ${path}\n`}  ${command}\n`);
  }
  process.stdout.write(
    `seed ${of}: ${requests} answers compared (${withInterval} with an interval, ${withQuote} in a quote, ${byDuckDb} also with DuckDB), ` +
      `${rows} rows, ${differences.length} differences, ${seconds} s\n`,
  );
}

function showDone(done: number): void {
  if (process.stderr.isTTY && done % 100 === 0) process.stderr.write(`\r${done} of ${count}`);
}

/** The rows of other seeds stay. */
function reportOf({ seed: of, requests, withInterval, withQuote, byDuckDb, rows, differences, seconds }: Ran): string {
  const figures = [requests, withInterval, withQuote, byDuckDb, rows, differences.length, seconds];
  const row = `| ${[of, commit, assets, first, ...figures.map(value => value.toLocaleString('en-US'))].join(' | ')} |`;
  const others = readFileSync(REPORT, 'utf8')
    .split('\n')
    .filter(line => /^\| \d/.test(line) && seedOf(line) !== of);
  const all = [...others, row].sort((a, b) => seedOf(a) - seedOf(b));
  const total = (cell: number) =>
    all.reduce((sum, line) => sum + Number(line.split(' | ')[cell]!.replace(/[^\d]/g, '')), 0).toLocaleString('en-US');
  return `# Answers that agree

Random requests, each answered by HTTP on SQLite, by HTTP on PostgreSQL, by a plain scan and, if SQL can say the request, by DuckDB over
exported files. The answers must agree value by value and in order. All rows of every listing, history and series of bars that is
asked for are compared with the loaded bars: assets, periods and prices of each row, and every column of two rows in exact arithmetic, to
1e-12. Each seed has a market of its own.

Written by \`npm run agree -- --report\`, which renews the rows of its seeds.

| seed | commit | assets | from request | requests | with \`interval\` | with \`quote\` | also by DuckDB | rows compared | differences | seconds |
|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${all.join('\n')}
| all | | | | ${[4, 5, 6, 7, 8, 9, 10].map(total).join(' | ')} |
`;
}

function seedOf(row: string): number {
  return Number(/^\| (\d+)/.exec(row)?.[1]);
}
