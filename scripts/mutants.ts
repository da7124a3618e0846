// How strong the tests are: changes one token of a core file at a time, at random, and looks whether the nearest tests notice it.
// Ends with the survivors and writes them to docs/reports/mutants.md.
//
//   npm run mutants -- 100                         100 random mutants
//   npm run mutants -- 100 --seed 7 --minutes 4    the same ones as every run with this seed; continues where the last one ended
//   npm run mutants -- 100 --seed 7,8              two samples, in one report
//   npm run mutants -- 100 --seed 7 --again        judges the survivors of that run again, with more tests
//   npm run mutants -- 40 render query             only in files whose path contains a word; no report

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { useMemoryFolder } from './memory-folder.ts';
import { EQUIVALENT, type Equivalent } from './mutants/equivalent.ts';
import { KnownOutcomes } from './mutants/known-outcomes.ts';
import { TestDistances } from './mutants/nearest-tests.ts';
import { Baselines } from './mutants/reached-code.ts';
import { type Outcome, type Place, reportOf, whyEquivalent } from './mutants/report.ts';
import { type Mutant, mutantsOf } from './mutants/sites.ts';
import { refusedByTypes } from './mutants/type-check.ts';
import { type Effort, Workplace } from './mutants/workplace.ts';
import { readDurations } from './test-durations.ts';

const root = join(import.meta.dirname, '..');
/** What computes, decides, stores and answers, without commands, benchmarks and generated files. */
const CORE =
  'src/{access,alerts,api,common,domain,explain,export,history,http,indicators,mcp,publish,quality,query,render,snapshot,store,stream}/**/*.ts';
/** There are few survivors to judge again, so more tests are run for each. */
const EFFORT: { readonly first: Effort; readonly again: Effort } = {
  first: { maxTests: 12, maxMs: 30_000, maxMeasured: 8 },
  again: { maxTests: 40, maxMs: 120_000, maxMeasured: 40 },
};
/** Of a test file: shorter than what it takes to find out what it executes. */
const QUICK_MS = 2000;

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    minutes: { type: 'string', default: 'Infinity' },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [count = 100] = positionals.map(Number).filter(Number.isInteger);
const words = positionals.filter(word => !/^\d+$/.test(word));
const [seeds, minutes] = [values.seed.split(',').map(Number), Number(values.minutes)];
if (!(seeds.every(Number.isInteger) && count > 0 && minutes > 0)) {
  process.stderr.write(
    'mutants: takes a number of mutants, words of paths, --seed NUMBER[,NUMBER…], --minutes NUMBER and --again\n',
  );
  process.exit(2);
}
// The copy of the project and the databases of the tests are in memory.
useMemoryFolder();

const sources = globSync(CORE, { cwd: root, exclude: ['**/*.test.ts', '**/*.d.ts'] }).filter(
  file => words.length === 0 || words.some(word => file.includes(word)),
);
const all = sources.sort().flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const stale = words.length === 0 ? EQUIVALENT.filter(entry => !isPresent(entry)) : [];
if (stale.length > 0) throw new Error(`equivalent.ts has reasons without a line: ${JSON.stringify(stale, null, 2)}`);
const samples = seeds.map(seed => ({ seed, places: sample(seed).map(mutant => ({ mutant, ...placeOf(mutant) })) }));
const chosen = samples.flatMap(({ places }) => places);
const durations = readDurations();
const distances = new TestDistances(root, durations);
const known = new KnownOutcomes(join(root, 'node_modules/.cache/mutants.json'));
const survived = (place: Place) => known.has(place) && (known.killerOf(place) ?? whyEquivalent(place)) === null;
const open = chosen.filter(place => (values.again ? survived(place) : !known.has(place)));
process.stdout.write(`${chosen.length} of ${all.length} mutants, seed ${seeds}, ${open.length} to judge\n`);

// One at a time: tests that disturb each other would fail without a mutant.
const baselines = new Baselines(join(root, 'node_modules/.cache/mutants-baselines.json'));
const workplace = new Workplace(root, baselines, test => (durations[test] ?? 0) < QUICK_MS);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.prependOnceListener(signal, () => workplace.remove());
await judge();
workplace.remove();
report();

/** What was judged is known to the next run. */
async function judge(): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  const effort = values.again ? EFFORT.again : EFFORT.first;
  // Survivors of the first run may not compile, which takes less time to find out than that more tests pass.
  const refused = values.again ? await refuse(open) : [];
  const survivors: Place[] = [];
  for (const place of open) {
    if (performance.now() > end) break;
    if (refused.includes(place)) continue;
    // One that is known to behave as the program does counts as a survivor, without a run.
    const killer =
      whyEquivalent(place) === null
        ? await workplace.killerOf(place.mutant, distances.nearestTo(place.mutant.file), effort)
        : null;
    keep({ ...place, killer });
    if (killer === null) survivors.push(place);
  }
  if (!values.again) await refuse(survivors);
}

/** Those that the type checker refuses are killed. */
async function refuse(places: readonly Place[]): Promise<Place[]> {
  const mutants = await refusedByTypes(
    workplace,
    places.map(({ mutant }) => mutant),
  );
  const refused = places.filter(({ mutant }) => mutants.includes(mutant));
  for (const place of refused) keep({ ...place, killer: 'tsc' });
  return refused;
}

function keep(outcome: Outcome): void {
  known.add(outcome, outcome.killer);
  say(outcome);
}

function report(): void {
  const runs = samples.map(({ seed, places }) => {
    const judged = places.filter(each => known.has(each));
    return { seed, outcomes: judged.map((each): Outcome => ({ ...each, killer: known.killerOf(each) })) };
  });
  if (words.length === 0) {
    mkdirSync(join(root, 'docs/reports'), { recursive: true });
    writeFileSync(join(root, 'docs/reports/mutants.md'), reportOf(runs, all.length));
  }
  for (const { seed, outcomes } of runs) {
    const survivors = outcomes.filter(({ killer }) => killer === null).length;
    const missing = count - outcomes.length;
    process.stdout.write(
      `\n${outcomes.length - survivors} killed, ${survivors} survived, ${missing} not judged: seed ${seed}\n`,
    );
  }
}

function isPresent({ file, text }: Equivalent): boolean {
  return sources.some(source => source.endsWith(file) && readFileSync(join(root, source), 'utf8').includes(text));
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
function sample(seed: number): Mutant[] {
  const keyOf = ({ file, at }: Mutant) => createHash('sha1').update(`${seed} ${file} ${at}`).digest('hex');
  return all
    .map(mutant => ({ mutant, key: keyOf(mutant) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
