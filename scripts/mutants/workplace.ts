// A copy of the project in which a mutant lives: the files of the project itself are never changed.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Mutant, mutated } from './sites.ts';

/** A mutant that makes a test run forever is seen too. */
const MAX_MS = 60_000;

export class Workplace {
  readonly root: string = mkdtempSync(join(tmpdir(), 'tidemark-mutants-'));
  /** Test files that pass when nothing is changed, or do not. */
  readonly #healthy = new Map<string, boolean>();
  /** Ends the test that runs, and every process that it has started. */
  #end = () => {};

  constructor(project: string) {
    const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
    for (const file of stdout.split('\0').filter(name => name !== '')) {
      mkdirSync(join(this.root, dirname(file)), { recursive: true });
      cpSync(join(project, file), join(this.root, file));
    }
    cpSync(join(project, 'web/dist'), join(this.root, 'web/dist'), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** The test file that fails with the mutant; null if none does. */
  async killerOf(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
    for (const test of tests) {
      if (this.#healthy.get(test) === false) continue;
      const path = join(this.root, mutant.file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, mutated(source, mutant));
      const killed = !(await this.#passes(test));
      writeFileSync(path, source);
      if (killed && (await this.#isHealthy(test))) return test;
    }
    return null;
  }

  /** A test that fails without a mutant says nothing about mutants. */
  async #isHealthy(test: string): Promise<boolean> {
    const known = this.#healthy.get(test) ?? (await this.#passes(test));
    this.#healthy.set(test, known);
    return known;
  }

  #passes(test: string): Promise<boolean> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', test], {
      cwd: this.root,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.root, '.compiled') },
    });
    this.#end = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    };
    const timer = setTimeout(this.#end, MAX_MS);
    return new Promise(resolve => {
      child.on('close', code => {
        clearTimeout(timer);
        this.#end();
        resolve(code === 0);
      });
    });
  }

  remove(): void {
    this.#end();
    rmSync(this.root, { recursive: true, force: true });
  }
}
