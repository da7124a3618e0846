// Orders the test files by how directly they use a source file: those that import it, then those that import what imports it.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { importsOf } from '../../test/structure/imports.ts';

/** A module that another one starts in a thread or process of its own. */
const STARTED = /['"`](\.{1,2}\/[\w./-]+\.[jt]s)['"`]/g;

/** Tests of the whole program: they come last. */
const SLOW = /^test\/(e2e|resilience|docs|client)\//;

export class TestDistances {
  /** Per module, those that import or start it. */
  readonly #users = new Map<string, string[]>();

  constructor(root: string) {
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

  /** Test files, the nearest first: by the number of imports in between, and by the words that both names have. */
  nearestTo(file: string, max: number): string[] {
    const seen = new Set([file]);
    const found: { readonly test: string; readonly far: number }[] = [];
    let ring = [file];
    for (let imports = 1; ring.length > 0; imports++) {
      ring = [...new Set(ring.flatMap(module => this.#users.get(module) ?? []))].filter(module => !seen.has(module));
      for (const module of ring) {
        seen.add(module);
        if (module.endsWith('.test.ts'))
          found.push({ test: module, far: imports - 3 * sharedWords(file, module) + (SLOW.test(module) ? 6 : 0) });
      }
    }
    return found
      .toSorted((a, b) => a.far - b.far || (a.test < b.test ? -1 : 1))
      .slice(0, max)
      .map(({ test }) => test);
  }
}

function sharedWords(file: string, test: string): number {
  const words = (path: string) => new Set(path.replace(/(\.test)?\.ts$/, '').split(/[/-]/));
  return words(file).intersection(words(test).difference(new Set(['src', 'test', 'http']))).size;
}
