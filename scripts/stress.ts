// Runs test files many times under bad conditions, and reports what failed at least once: beside busy processes, in another order, at
// other dates, with late timers and slow files. The seed decides the conditions of each round.
//
//   npm run stress -- http/ client --times 20           files whose path contains a word
//   npm run stress -- --times 3 --seed 7                all of them
//   npm run stress -- sorting --seed 7 --first 4 --times 1    one round again
//
// The date is that of the Node processes only: a database has its own clock, as one on another machine.

import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import { Chance } from '../test/contract/query/chance.ts';
import type { StressConditions } from '../test/support/stress-conditions.ts';
import { endHungChildren } from './end-hung-children.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { numberOption } from './number-option.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals: words } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});
const times = numberOption('stress', 'times', values.times);
const seed = numberOption('stress', 'seed', values.seed);
const first = numberOption('stress', 'first', values.first);

const PROCESS_LIMIT_SECONDS = 15 * 60;
/** Seconds: most files take longer, so that the day ends while they run. */
const BEFORE_MIDNIGHT = 5;

interface Round extends StressConditions {
  readonly busy: number;
  readonly date: string;
}

/** All of them are in the future: what a test has stored until today is then of the past. */
const DATES: Readonly<Record<string, (now: number) => number>> = {
  today: now => now,
  '31 December': now => Date.parse(`${yearOf(now)}-12-31T12:00:00Z`),
  'the last seconds of the year': now => Date.parse(`${yearOf(now) + 1}-01-01T00:00:00Z`) - BEFORE_MIDNIGHT * 1000,
  '29 February': now => Date.parse(`${leapYearAfter(now)}-02-29T12:00:00Z`),
  'the last seconds of 28 February of a leap year': now =>
    Date.parse(`${leapYearAfter(now)}-02-29T00:00:00Z`) - BEFORE_MIDNIGHT * 1000,
  'the last seconds of a day': now => Math.ceil(now / 86_400_000) * 86_400_000 - BEFORE_MIDNIGHT * 1000,
};

function yearOf(millis: number): number {
  return new Date(millis).getUTCFullYear();
}

function leapYearAfter(millis: number): number {
  return Math.ceil((yearOf(millis) + 1) / 4) * 4;
}

function roundOf(chance: Chance): Round {
  const date = chance.pick(Object.keys(DATES));
  const now = Date.now();
  return {
    date,
    shift: DATES[date]!(now) - now,
    lateTimers: chance.pick([0, 5, 40]),
    slowFiles: chance.pick([0, 2, 10]),
    busy: chance.below(availableParallelism() + 2),
  };
}

const files = globSync('{src,client,test,web}/**/*.test.ts', { cwd: root })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`stress: no test file has ${words.join(' or ')} in its path\n`);
  process.exit(2);
}
process.env['NODE_OPTIONS'] =
  `${process.env['NODE_OPTIONS'] ?? ''} --import ${pathToFileURL(join(root, 'test/support/stress-conditions.ts'))}`;
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
useMemoryFolder();
setInterval(() => endHungChildren(PROCESS_LIMIT_SECONDS), 30_000).unref();

/** Of each test that failed: the rounds. */
const failures = new Map<string, number[]>();
let passed = 0;
for (let round = first; round < first + times; round++) {
  const chance = new Chance(seed * 1009 + round);
  const conditions = roundOf(chance);
  const { date, lateTimers, slowFiles, busy } = conditions;
  process.stdout.write(
    `round ${round}: ${date}, timers up to ${lateTimers} ms late, files up to ${slowFiles} ms slower, ${busy} busy processes\n`,
  );
  process.env['TIDEMARK_STRESS'] = JSON.stringify(conditions);
  const loops = Array.from({ length: busy }, busyProcess);
  try {
    await runFiles(chance.shuffled(files), round);
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}
report();

function busyProcess(): ChildProcess {
  // It ends with this process, whose end closes its input.
  const script =
    'process.stdin.on("end", () => process.exit()).resume(); setInterval(() => { const until = performance.now() + 50; while (performance.now() < until); }, 50);';
  return spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'], env: {} });
}

async function runFiles(shuffled: readonly string[], round: number): Promise<void> {
  const stream = run({
    files: shuffled.map(file => join(root, file)),
    concurrency: availableParallelism(),
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  for await (const event of stream) {
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') passed++;
    if (event.type !== 'test:fail' || event.data.details.error.failureType === 'subtestsFailed') continue;
    const { name, file = '', details } = event.data;
    const where = `${relative(root, file)}: ${name}`;
    const cause = details.error.cause instanceof Error ? details.error.cause : details.error;
    process.stdout.write(`${styleText('red', '✗')} ${where}\n${String(cause.stack ?? cause).replace(/^/gm, '    ')}\n`);
    failures.set(where, [...(failures.get(where) ?? []), round]);
  }
}

function report(): void {
  process.stdout.write('\n');
  for (const [where, rounds] of failures) {
    const [path = ''] = where.split(': ', 1);
    process.stdout.write(
      `${styleText('red', '✗')} ${where}\n  failed in ${rounds.length} of ${times} rounds: npm run stress -- ${path} --seed ${seed} --first ${rounds[0]} --times 1\n`,
    );
  }
  process.stdout.write(
    `seed ${seed}, ${times} rounds of ${files.length} files: ${passed} passed, ${failures.size} tests failed at least once\n`,
  );
  process.exitCode = failures.size > 0 ? 1 : 0;
}
