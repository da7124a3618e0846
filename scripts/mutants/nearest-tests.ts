// Orders the test files by how directly they use a source file: those that import it, then those that import what imports it.
// Quick ones come before slow ones that are somewhat nearer.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { importsOf } from '../../test/structure/imports.ts';

/** A module that another one starts in a thread or process of its own. */
const STARTED = /['"`](\.{1,2}\/[\w./-]+\.[jt]s)['"`]/g;

/** Tests of the whole program: they come last. */
const SLOW = /^test\/(e2e|resilience|docs|client)\//;
/** A test that takes so long counts as one import further away, up to so many. */
const MS_PER_IMPORT = 2000;
const MAX_IMPORTS_FOR_TIME = 10;

export class TestDistances {
  /** Per module, those that import or start it. */
  readonly #users = new Map<string, string[]>();
  /** Milliseconds per test file, of the last run of `npm test`. */
  readonly #durations: Readonly<Record<string, number>>;

  constructor(root: string, durations: Readonly<Record<string, number>>) {
    this.#durations = durations;
    for (const file of globSync('{src,client,test}/**/*.{ts,js}', { cwd: root, exclude: ['**/dist/**'] })) {
      const source = readFileSync(join(root, file), 'utf8');
      const started = [...source.matchAll(STARTED)].map(([, path = '']) => normalize(join(dirname(file), path)));
      // The program itself, in a process of its own.
      if (file.endsWith('server-process.ts')) started.push('src/main.ts');
      for (const used of new Set([...importsOf(file, source), ...started])) {
        this.#users.set(used, [...(this.#users.get(used) ?? []), file]);
      }
    }
  }

  /** Test files, the nearest first: by the number of imports in between, by the words that both names have, and by time. */
  nearestTo(file: string): string[] {
    const seen = new Set([file]);
    const found: { readonly test: string; readonly far: number }[] = [];
    let ring = [file];
    // A file of tests is often named after what the module is for: the modules that use it.
    const users = new Set((this.#users.get(file) ?? []).filter(user => user.startsWith('src/')).flatMap(wordsOf));
    for (let imports = 1; ring.length > 0; imports++) {
      ring = [...new Set(ring.flatMap(module => this.#users.get(module) ?? []))].filter(module => !seen.has(module));
      for (const module of ring) {
        seen.add(module);
        if (!module.endsWith('.test.ts')) continue;
        const time = Math.min((this.#durations[module] ?? 0) / MS_PER_IMPORT, MAX_IMPORTS_FOR_TIME);
        const own = wordsOf(module).filter(word => !['src', 'test', 'http'].includes(word));
        const shared = 4 * own.filter(word => wordsOf(file).includes(word)).length;
        const sharedByUsers = own.some(word => users.has(word)) ? 2 : 0;
        found.push({ test: module, far: imports - shared - sharedByUsers + (SLOW.test(module) ? 6 : 0) + time });
      }
    }
    return found.toSorted((a, b) => a.far - b.far || (a.test < b.test ? -1 : 1)).map(({ test }) => test);
  }
}

/** Of a path. */
function wordsOf(path: string): string[] {
  return [...new Set(path.replace(/(\.test)?\.ts$/, '').split(/[/-]/))];
}
