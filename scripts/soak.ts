// Half an hour of days that last seconds: a server, loads, clients that check every answer. Ends with a verdict and writes
// docs/reports/soak.md.
//
//   npm run soak                     30 minutes
//   npm run soak -- --minutes 5      shorter: less certain

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { reportOf } from '../test/resilience/soak/report.ts';
import type { Sample } from '../test/resilience/soak/sampler.ts';
import { soak } from '../test/resilience/soak/soak.ts';

const ASSETS = 1000;
/** Long against the days that are lived: what grows with them is data, and not what is looked for. */
const HISTORY_DAYS = 1460;
const LOAD_MS = 5000;
const SAMPLE_MS = 3000;
const LINE_EVERY = 10;
const folder = join(import.meta.dirname, '../docs/reports');

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write(`soak: --minutes takes a number above 0, not ${values.minutes}\n`);
  process.exit(2);
}

const COLUMNS: readonly { readonly title: string; readonly of: (sample: Sample) => string }[] = [
  {
    title: 'time',
    of: ({ seconds }) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`,
  },
  { title: 'RSS MB', of: ({ rss }) => rss.toFixed(0) },
  { title: 'heap MB', of: ({ heap }) => heap.toFixed(0) },
  { title: 'files', of: ({ openFiles }) => String(openFiles) },
  { title: 'threads', of: ({ threads }) => String(threads) },
  { title: 'late ms', of: ({ loopDelay }) => loopDelay.toFixed(0) },
  { title: 'store MB', of: ({ storeFile }) => storeFile.toFixed(1) },
  { title: 'WAL MB', of: ({ writeAheadLog }) => writeAheadLog.toFixed(1) },
  { title: 'answers/s', of: ({ answersPerSecond }) => answersPerSecond.toFixed(0) },
];

let samples = 0;
process.stdout.write(`${styleText('gray', COLUMNS.map(({ title }) => title.padStart(9)).join(' '))}\n`);
const result = await soak({
  ...{ assets: ASSETS, historyDays: HISTORY_DAYS, seconds: minutes * 60, loadMs: LOAD_MS, sampleMs: SAMPLE_MS },
  onSample: sample => {
    if (samples++ % LINE_EVERY !== 0) return;
    process.stdout.write(`${COLUMNS.map(column => column.of(sample).padStart(9)).join(' ')}\n`);
  },
});

const { markdown, svg, faults } = reportOf(result);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'soak.md'), markdown);
writeFileSync(join(folder, 'soak.svg'), svg);
process.stdout.write(`\n${markdown.slice(markdown.indexOf('\n| '))}\n`);
const good = faults.length === 0;
process.stdout.write(
  good ? styleText('green', 'flat, and no answer was wrong\n') : styleText('red', `not well:\n${faults.join('\n')}\n`),
);
process.stdout.write('written to docs/reports/soak.md\n');
process.exitCode = good ? 0 : 1;
