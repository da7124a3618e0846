// How strong the tests are: changes one token of a core file at a time, at random, and looks whether the nearest tests notice it.
// Ends with the survivors and writes them to docs/reports/mutants.md.
//
//   npm run mutants -- 200                         200 random mutants
//   npm run mutants -- 200 --seed 7 --minutes 4    the same ones as every run with this seed; continues where the last one ended
//   npm run mutants -- 200 --seed 7 --again        judges the survivors of that run again, with more tests
//   npm run mutants -- 40 render query             only in files whose path contains a word; no report

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { KnownOutcomes } from './mutants/known-outcomes.ts';
import { TestDistances } from './mutants/nearest-tests.ts';
import { type Outcome, type Place, reportOf, whyEquivalent } from './mutants/report.ts';
import { type Mutant, mutantsOf } from './mutants/sites.ts';
import { Workplace } from './mutants/workplace.ts';
import { readDurations } from './test-durations.ts';

const root = join(import.meta.dirname, '..');
/** What computes, decides, stores and answers, without commands, benchmarks and generated files. */
const CORE =
  'src/{access,alerts,common,domain,explain,export,http,indicators,mcp,publish,query,render,snapshot,store,stream}/**/*.ts';
/** Test files per mutant, the nearest first. There are few survivors to judge again, so more are run for each. */
const MAX_TESTS = { first: 16, again: 64 };

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    minutes: { type: 'string', default: 'Infinity' },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [count = 200] = positionals.map(Number).filter(Number.isInteger);
const words = positionals.filter(word => !/^\d+$/.test(word));
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
const maxTests = values.again ? MAX_TESTS.again : MAX_TESTS.first;
if (!(Number.isInteger(seed) && count > 0 && minutes > 0)) {
  process.stderr.write(
    'mutants: takes a number of mutants, words of paths, --seed NUMBER, --minutes NUMBER and --again\n',
  );
  process.exit(2);
}

const sources = globSync(CORE, { cwd: root, exclude: ['**/*.test.ts', '**/*.d.ts'] }).filter(
  file => words.length === 0 || words.some(word => file.includes(word)),
);
const all = sources.sort().flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const chosen = sample(all);
const distances = new TestDistances(root, readDurations());
const known = new KnownOutcomes(join(root, 'node_modules/.cache/mutants.json'));
const placed = chosen.map(mutant => ({ mutant, ...placeOf(mutant) }));
const survived = (place: Place) => known.has(place) && (known.killerOf(place) ?? whyEquivalent(place)) === null;
const open = placed.filter(place => (values.again ? survived(place) : !known.has(place)));
const queue = open.values();
process.stdout.write(`${chosen.length} of ${all.length} mutants, seed ${seed}, ${open.length} to judge\n`);

const end = performance.now() + minutes * 60_000;
const workplaces = Array.from({ length: availableParallelism() }, () => new Workplace(root));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
await Promise.all(workplaces.map(judgeInTurn));
report();

/** What was judged is known to the next run. */
function stop(): void {
  for (const workplace of workplaces) workplace.remove();
  process.exit(1);
}

async function judgeInTurn(workplace: Workplace): Promise<void> {
  for (const place of queue) {
    if (performance.now() > end) break;
    const killer = await workplace.killerOf(place.mutant, distances.nearestTo(place.mutant.file, maxTests));
    known.add(place, killer);
    say({ ...place, killer });
  }
  workplace.remove();
}

function report(): void {
  const judged = placed.filter(each => known.has(each));
  const outcomes: Outcome[] = judged.map(each => ({ ...each, killer: known.killerOf(each) }));
  if (words.length === 0) {
    mkdirSync(join(root, 'docs/reports'), { recursive: true });
    writeFileSync(join(root, 'docs/reports/mutants.md'), reportOf(outcomes, { seed, all: all.length }));
  }
  const survivors = outcomes.filter(({ killer }) => killer === null).length;
  const missing = chosen.length - outcomes.length;
  process.stdout.write(
    `\n${outcomes.length - survivors} killed, ${survivors} survived, ${missing} not judged: seed ${seed}\n`,
  );
}

function say({ mutant, line, text, killer }: Outcome): void {
  const mark = killer === null ? styleText('red', 'survived') : styleText('green', 'killed  ');
  const change = `${mutant.was} → ${mutant.becomes === '' ? 'nothing' : mutant.becomes}`;
  process.stdout.write(`${mark} ${mutant.file}:${line} ${change} ${styleText('gray', killer ?? text)}\n`);
}

function placeOf({ file, at }: Mutant): { readonly line: number; readonly text: string } {
  const source = readFileSync(join(root, file), 'utf8');
  const line = source.slice(0, at).split('\n').length;
  return { line, text: source.split('\n')[line - 1]!.trim() };
}

/** By a hash of the place: a change of one file leaves the choice among the others as it is. */
function sample(mutants: readonly Mutant[]): Mutant[] {
  const keyOf = ({ file, at }: Mutant) => createHash('sha1').update(`${seed} ${file} ${at}`).digest('hex');
  return mutants
    .map(mutant => ({ mutant, key: keyOf(mutant) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
