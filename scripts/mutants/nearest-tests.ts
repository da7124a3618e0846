// Orders the test files by how directly they use a source file: those that import it, then those that import what imports it.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { importsOf } from '../../test/structure/imports.ts';

/** A module that another one starts in a thread or process of its own. */
const STARTED = /['"`](\.{1,2}\/[\w./-]+\.[jt]s)['"`]/g;

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

  /** Test files, the nearest first. */
  nearestTo(file: string, max: number): string[] {
    const seen = new Set([file]);
    const tests: string[] = [];
    for (let ring = [file]; ring.length > 0 && tests.length < max; ) {
      const next = ring.flatMap(module => this.#users.get(module) ?? []).filter(module => !seen.has(module));
      ring = [...new Set(next)].sort(byFolder(dirname(file)));
      for (const module of ring) seen.add(module);
      tests.push(...ring.filter(module => module.endsWith('.test.ts')));
    }
    return tests.slice(0, max);
  }
}

/** Files of the folder first: they are written for it. */
function byFolder(folder: string): (a: string, b: string) => number {
  const far = (file: string) => (file.startsWith(`${folder}/`) ? 0 : file.startsWith('src/') ? 1 : 2);
  return (a, b) => far(a) - far(b) || (a < b ? -1 : 1);
}
