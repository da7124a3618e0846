// A copy of the project in which a mutant lives: the files of the project itself are never changed.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Baseline, type Baselines, hashOf, isReached, reachedCode } from './reached-code.ts';
import { type Mutant, mutated } from './sites.ts';
import { runTest } from './test-run.ts';

/** A test file that takes longer without a mutant is left out. */
const MAX_BASELINE_MS = 60_000;
/** A mutant that makes a test run forever is seen too: it takes so many times as long as without, and so many milliseconds. */
const [SLOWER, SLACK_MS] = [5, 10_000];

/** For one mutant. */
export interface Effort {
  /** Test files that execute the changed token. */
  readonly maxTests: number;
  /** Of test files of which it is known how long they take without the mutant, all together. */
  readonly maxMs: number;
  /** Test files of which it is not known yet what they execute. */
  readonly maxMeasured: number;
}

export class Workplace {
  readonly root: string = mkdtempSync(join(tmpdir(), 'tidemark-mutants-'));
  readonly #baselines: Baselines;
  readonly #isQuick: (test: string) => boolean;
  /** Test files that pass when nothing is changed. */
  readonly #healthy = new Set<string>();
  #end = () => {};

  constructor(project: string, baselines: Baselines, isQuick: (test: string) => boolean) {
    this.#baselines = baselines;
    this.#isQuick = isQuick;
    const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
    for (const file of stdout.split('\0').filter(name => name !== '')) {
      mkdirSync(join(this.root, dirname(file)), { recursive: true });
      cpSync(join(project, file), join(this.root, file));
    }
    cpSync(join(project, 'web/dist'), join(this.root, 'web/dist'), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** The test file that fails with the mutant; null if none does. Tests that do not execute the changed token are not run. */
  async killerOf(mutant: Mutant, tests: readonly string[], effort: Effort): Promise<string | null> {
    let [count, ms, measured] = [0, 0, 0];
    for (const test of tests) {
      if (count >= effort.maxTests) break;
      const baseline = this.#baselines.get(this.root, test, mutant.file);
      if (baseline === undefined && measured++ < effort.maxMeasured && (await this.#isNoticedBy(test, mutant)))
        return test;
      if (!baseline || !mayReach(baseline, mutant) || ms + baseline.ms > effort.maxMs) continue;
      count++;
      ms += baseline.ms;
      const limit = SLOWER * baseline.ms + SLACK_MS;
      if (!(await this.withMutants([mutant], () => this.#passes(test, limit)))) return test;
    }
    return null;
  }

  async withMutants<T>(mutants: readonly Mutant[], run: () => T): Promise<Awaited<T>> {
    const sources = mutants.map(({ file }) => readFileSync(join(this.root, file), 'utf8'));
    mutants.forEach((mutant, i) => {
      writeFileSync(join(this.root, mutant.file), mutated(sources[i]!, mutant));
    });
    try {
      return await run();
    } finally {
      mutants.forEach(({ file }, i) => {
        writeFileSync(join(this.root, file), sources[i]!);
      });
    }
  }

  /** Of a test file of which nothing is known. Measuring takes three times as long, so that quick ones are not measured. */
  async #isNoticedBy(test: string, mutant: Mutant): Promise<boolean> {
    // What a run with the mutant executes is what one without it does, if it passes.
    const pass = (...mutants: Mutant[]) =>
      this.#isQuick(test)
        ? this.withMutants(mutants, () => this.#passes(test, MAX_BASELINE_MS))
        : this.#measure(test, mutants[0]);
    if (await pass(mutant)) return false;
    const isHealthy = this.#healthy.has(test) || (await pass());
    if (isHealthy) this.#healthy.add(test);
    else this.#baselines.set(test, null);
    return isHealthy;
  }

  /** Whether the test passes; keeps what it executes. */
  async #measure(test: string, mutant?: Mutant): Promise<boolean> {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-coverage-'));
    const began = performance.now();
    const run = () => this.#passes(test, MAX_BASELINE_MS, { NODE_V8_COVERAGE: folder });
    const isPassed = await this.withMutants(mutant ? [mutant] : [], run);
    if (isPassed) {
      const ms = performance.now() - began;
      const reached = reachedCode(this.root, folder, mutant);
      this.#baselines.set(test, { hash: hashOf(join(this.root, test)), ms, reached });
    }
    rmSync(folder, { recursive: true, force: true });
    return isPassed;
  }

  #passes(test: string, maxMs: number, env?: Readonly<Record<string, string>>): Promise<boolean> {
    // What is compiled without coverage cannot be measured.
    const { passed, end } = runTest(
      this.root,
      test,
      maxMs,
      env ?? { NODE_COMPILE_CACHE: join(this.root, '.compiled') },
    );
    this.#end = end;
    return passed;
  }

  remove(): void {
    this.#end();
    rmSync(this.root, { recursive: true, force: true });
  }
}

function mayReach({ reached }: Baseline, { file, at }: Mutant): boolean {
  const source = reached[file];
  return source !== undefined && isReached(source, at);
}
