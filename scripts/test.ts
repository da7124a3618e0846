// Runs every check of the project and ends with one line `N passed, N failed, N skipped`.
//
//   npm test                 everything
//   npm test -- kernels      only the test files whose path contains a given word
//   npm run check            formatting, lint, types and structure: the quick part, for every save

import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { audit } from './audit.ts';
import { endHungChildren } from './end-hung-children.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { keepDurations, readDurations } from './test-durations.ts';
import { groupsOf, type TestGroup } from './test-groups.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const unknown = args.filter(arg => arg.startsWith('-') && arg !== '--quick');
if (unknown.length > 0) {
  process.stderr.write(
    `no such option: ${unknown.join(' ')}; there are --quick and words of the paths of test files\n`,
  );
  process.exit(2);
}
const quick = args.includes('--quick');
const words = args.filter(arg => !arg.startsWith('--'));
const bin = join(root, 'node_modules/.bin');
/** Files that start processes and wait for them most of the time. */
const WAITING = /^test\/(?:resilience|python|e2e\/(?!browser\/))/;
/** A process of tests that takes longer hangs, and is ended; the slowest take minutes on a busy machine. */
const PROCESS_LIMIT_SECONDS = 15 * 60;
const LOOK_MS = 30_000;
const lastDurations = readDurations();
/** Milliseconds per test file. */
const durations: Record<string, number> = {};

const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, printed at once and again at the end, where it is found. */
const failed: string[] = [];
const began = performance.now();

// Every test process loads a part of the program, and many start it: what one has compiled, the others need not compile again.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');

useMemoryFolder();
setInterval(() => endHungChildren(PROCESS_LIMIT_SECONDS), LOOK_MS).unref();

await Promise.all([...(words.length === 0 ? tools() : []), tests(groupsOf(testFiles()))]);
keepDurations(durations);
report();

function tools(): Promise<void>[] {
  const tsc = (name: string, ...project: string[]) => tool(name, join(bin, 'tsc'), ['--pretty', 'false', ...project]);
  return [
    tool('format and lint', join(bin, 'biome'), ['ci', '--colors=off', '.']),
    tsc('types'),
    tsc('types of the page', '-p', 'web'),
    tsc('types of the client', '-p', 'client'),
    ...(quick ? [] : [auditDependencies()]),
  ];
}

function testFiles(): string[] {
  if (quick) return [join(root, 'test/structure/imports.test.ts')];
  return globSync(['{src,client,test,web}/**/*.test.ts'], { cwd: root })
    .filter(file => words.length === 0 || words.some(word => file.includes(word)))
    .sort()
    .map(file => join(root, file));
}

/**
 * The longest begin first, so that none of them runs alone at the end. Files that wait are spread among those that compute, so that the
 * cores are used all the time.
 */
function inOrder(groups: readonly TestGroup[]): TestGroup[] {
  const longestFirst = groups.toSorted((a, b) => durationOfGroup(b) - durationOfGroup(a));
  const waits = ({ members }: TestGroup) => members.some(file => WAITING.test(relative(root, file)));
  const placed = [longestFirst.filter(waits), longestFirst.filter(group => !waits(group))].flatMap(list => {
    const durations = list.map(group => Math.max(1, durationOfGroup(group)));
    const total = durations.reduce((sum, millis) => sum + millis, 0);
    let before = 0;
    return list.map((group, i) => {
      const place = before / total;
      before += durations[i]!; // as many as groups
      return { group, place };
    });
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ group }) => group);
}

function durationOfGroup({ members }: TestGroup): number {
  return members.reduce((sum, file) => sum + durationOf(relative(root, file)), 0);
}

/** Of a file that never ran here: by its folder. */
function durationOf(file: string): number {
  const folder = file.split('/').slice(0, 2).join('/');
  return lastDurations[file] ?? ['test/http', 'test/contract', 'test/e2e', 'test/resilience'].indexOf(folder);
}

/** A tool whose exit code is one check; it is quiet unless it fails. */
function tool(name: string, command: string, toolArgs: string[]): Promise<void> {
  const start = performance.now();
  return new Promise(resolve => {
    const child = spawn(command, toolArgs, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    child.stdout.on('data', chunk => output.push(chunk));
    child.stderr.on('data', chunk => output.push(chunk));
    child.on('error', error => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', code => {
      const ok = code === 0;
      total[ok ? 'passed' : 'failed']++;
      line(ok, name, '', performance.now() - start);
      if (!ok) fail(name, Buffer.concat(output).toString());
      resolve();
    });
  });
}

async function auditDependencies(): Promise<void> {
  const start = performance.now();
  const { verdict, text } = await audit(root);
  total[verdict === 'clean' ? 'passed' : verdict === 'holes' ? 'failed' : 'skipped']++;
  line(
    verdict !== 'holes',
    'known holes in dependencies',
    verdict === 'none' ? 'no verdict' : '',
    performance.now() - start,
  );
  if (verdict === 'holes') fail('known holes in dependencies', text);
  else if (text !== '') process.stdout.write(`${indent(text)}\n`);
}

interface FileResult {
  tests: number;
  /** Of its tests, without the time that the process takes to load it. */
  millis: number;
  failures: string[];
  /** What was skipped, and why. */
  skips: string[];
}

async function tests(groups: readonly TestGroup[]): Promise<void> {
  const files = inOrder(groups).map(({ file }) => file);
  const results = new Map<string, FileResult>();
  // Two more than there are cores: many tests wait most of the time.
  const concurrency = Math.max(2, availableParallelism()) + 2;
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const stream = run({ files, concurrency, execArgv });
  const of = (file: string | undefined): FileResult => {
    const key = file ?? 'unknown file';
    const found = results.get(key) ?? { tests: 0, millis: 0, failures: [], skips: [] };
    results.set(key, found);
    return found;
  };
  for await (const event of stream) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { data } = event;
      const fileItself = data.nesting === 0 && data.name === data.file;
      if (data.nesting === 0 && !fileItself) of(data.file).millis += data.details.duration_ms;
      if (data.details.type === 'suite' || (fileItself && event.type === 'test:pass')) continue;
      const result = of(data.file);
      if (event.type === 'test:fail') {
        // A parent fails with its children; only what failed by itself counts.
        if (data.details.error.failureType === 'subtestsFailed') continue;
        total.failed++;
        result.failures.push(`${data.name}\n${indent(describe(data.details.error))}`);
      } else if (data.skip || data.todo) {
        total.skipped++;
        result.skips.push(typeof data.skip === 'string' ? `${data.name}: ${data.skip}` : data.name);
      } else {
        total.passed++;
        result.tests++;
      }
    } else if (event.type === 'test:summary' && event.data.file) {
      const { file, duration_ms: duration } = event.data;
      const { members } = groups.find(group => group.file === file)!; // it was given to the runner
      for (const member of members) {
        const millis = members.length === 1 ? duration : of(member).millis;
        durations[relative(root, member)] = millis;
        show(member, of(member), millis);
        results.delete(member);
      }
    } else if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      process.stdout.write(event.data.message);
    }
  }
  // Tests that a test file takes from another one are reported as that one's.
  for (const [file, result] of results) if (result.failures.length > 0) show(file, result, 0);
}

function show(file: string, { tests, failures, skips }: FileResult, millis: number): void {
  line(failures.length === 0, relative(root, file), `${tests} tests`, millis);
  for (const failure of failures) fail(relative(root, file), failure);
  for (const skip of skips) process.stdout.write(`  ${styleText('gray', `skipped ${skip}`)}\n`);
}

function fail(where: string, text: string): void {
  process.stdout.write(`  ${styleText('red', '✗')} ${text}\n`);
  failed.push(`${where}: ${text}`);
}

function describe(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? cause.message;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}

function line(ok: boolean, name: string, detail: string, millis: number): void {
  const mark = ok ? styleText('green', '✓') : styleText('red', '✗');
  const time = millis < 1000 ? `${millis.toFixed(0)} ms` : `${(millis / 1000).toFixed(1)} s`;
  process.stdout.write(
    `${mark} ${name.padEnd(52)} ${styleText('gray', `${detail.padStart(10)} ${time.padStart(8)}`)}\n`,
  );
}

function report(): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  for (const each of failed) process.stdout.write(`\n${styleText('red', '✗')} ${each}\n`);
  process.stdout.write(`\n${styleText('gray', `in ${seconds} s`)}\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}
