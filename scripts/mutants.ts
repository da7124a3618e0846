// How strong the tests are: changes one token of a core file at a time, at random, and looks whether the nearest tests notice it.
// Ends with the survivors and writes them to docs/reports/mutants.md.
//
//   npm run mutants -- 200               200 random mutants
//   npm run mutants -- 40 --seed 7       the same ones as every run with this seed
//   npm run mutants -- 40 render query   only in files whose path contains a word

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { TestDistances } from './mutants/nearest-tests.ts';
import { type Outcome, reportOf } from './mutants/report.ts';
import { type Mutant, mutantsOf } from './mutants/sites.ts';
import { Workplace } from './mutants/workplace.ts';

const root = join(import.meta.dirname, '..');
/** What computes, decides, stores and answers, without commands, benchmarks and generated files. */
const CORE =
  'src/{access,alerts,common,domain,explain,export,http,indicators,mcp,publish,query,render,snapshot,store,stream}/**/*.ts';
/** Tests per mutant, the nearest first. */
const MAX_TESTS = 12;

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: String(Date.now() % 100_000) } },
  allowPositionals: true,
});
const [count = 200] = positionals.map(Number).filter(Number.isInteger);
const words = positionals.filter(word => !/^\d+$/.test(word));
const seed = Number(values.seed);
if (!(Number.isInteger(seed) && count > 0)) {
  process.stderr.write('mutants: takes a number of mutants, words of paths, and --seed NUMBER\n');
  process.exit(2);
}

const all = globSync(CORE, { cwd: root, exclude: ['**/*.test.ts', '**/*.d.ts'] })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort()
  .flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const chosen = sample(all, count, seed);
const distances = new TestDistances(root);
const outcomes: Outcome[] = [];
process.stdout.write(`${chosen.length} of ${all.length} mutants, seed ${seed}\n`);

const lanes = Array.from({ length: availableParallelism() }, () => new Workplace(root));
const queue = chosen.values();
await Promise.all(
  lanes.map(async lane => {
    for (const mutant of queue) await judge(lane, mutant);
    lane.remove();
  }),
);

mkdirSync(join(root, 'docs/reports'), { recursive: true });
if (words.length === 0)
  writeFileSync(join(root, 'docs/reports/mutants.md'), reportOf(outcomes, { seed, all: all.length }));
const survivors = outcomes.filter(({ killer }) => killer === null).length;
process.stdout.write(`\n${outcomes.length - survivors} killed, ${survivors} survived\n`);

async function judge(lane: Workplace, mutant: Mutant): Promise<void> {
  const tests = distances.nearestTo(mutant.file, MAX_TESTS);
  const killer = await lane.killerOf(mutant, tests);
  const { line, text } = placeOf(mutant);
  outcomes.push({ mutant, line, text, killer });
  const mark = killer === null ? styleText('red', 'survived') : styleText('green', 'killed  ');
  const change = `${mutant.was} → ${mutant.becomes === '' ? 'nothing' : mutant.becomes}`;
  process.stdout.write(`${mark} ${mutant.file}:${line} ${change} ${styleText('gray', killer ?? text)}\n`);
}

function placeOf({ file, at }: Mutant): { readonly line: number; readonly text: string } {
  const source = readFileSync(join(root, file), 'utf8');
  const line = source.slice(0, at).split('\n').length;
  return { line, text: source.split('\n')[line - 1]!.trim() };
}

/** Shuffled by a seeded generator (mulberry32). */
function sample<T>(items: readonly T[], size: number, start: number): T[] {
  let state = start | 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map(item => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ item }) => item);
}
