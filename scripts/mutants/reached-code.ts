// Which characters of the source files a test file executes, from the coverage that V8 writes.

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './sites.ts';

/** What V8 writes per process, as far as it is used here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

interface SourceFile {
  readonly hash: string;
  /** Where executed code begins and ends, in turn. */
  readonly bounds: readonly number[];
}

/** What is known of a test file that passes when nothing is changed. */
export interface Baseline {
  readonly hash: string;
  readonly ms: number;
  readonly reached: Readonly<Record<string, SourceFile>>;
}

/** The executed code of the source files, over all processes that wrote to the folder; of the mutant's file, as it is without the mutant. */
export function reachedCode(root: string, folder: string, mutant?: Mutant): Record<string, SourceFile> {
  const executed = new Map<string, Uint8Array>();
  for (const file of globSync('*.json', { cwd: folder })) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage; // written by V8
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const path = relative(root, fileURLToPath(url));
      if (!path.startsWith('src/')) continue;
      const ranges = functions.flatMap(each => each.ranges);
      const here = new Uint8Array(Math.max(...ranges.map(range => range.endOffset)));
      // An inner range is shorter than the one around it, and overrides it.
      ranges.sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
      for (const { startOffset, endOffset, count } of ranges) here.fill(Math.min(count, 1), startOffset, endOffset);
      const known = executed.get(path);
      executed.set(path, known === undefined ? here : here.map((value, i) => value | (known[i] ?? 0)));
    }
  }
  const moved = (path: string) => (bound: number) =>
    path === mutant?.file && bound > mutant.at ? bound + mutant.was.length - mutant.becomes.length : bound;
  return Object.fromEntries(
    [...executed].map(([path, values]) => [
      path,
      { hash: hashOf(join(root, path)), bounds: boundsOf(values).map(moved(path)) },
    ]),
  );
}

function boundsOf(values: Uint8Array): number[] {
  const bounds: number[] = [];
  for (let i = 0; i < values.length; i++) if (values[i] !== (values[i - 1] ?? 0)) bounds.push(i);
  return bounds;
}

export function isReached({ bounds }: SourceFile, at: number): boolean {
  return bounds.filter(bound => bound <= at).length % 2 === 1;
}

export function hashOf(file: string): string {
  return createHash('sha1').update(readFileSync(file)).digest('hex');
}

/** The baselines of earlier runs. One is measured again once the test file, or a source file that it is asked about, has changed. */
export class Baselines {
  readonly #file: string;
  readonly #known: Map<string, Baseline | null>;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#known = new Map(JSON.parse(readFileSync(file, 'utf8'))); // written by `set`
    } catch {
      this.#known = new Map(); // the first run
    }
  }

  /** Undefined: to be measured. Null: the test does not pass, or takes too long. */
  get(root: string, test: string, source: string): Baseline | null | undefined {
    const known = this.#known.get(test);
    if (known === undefined || known === null) return known;
    if (known.hash !== hashOf(join(root, test))) return undefined;
    const reached = known.reached[source];
    return reached !== undefined && reached.hash !== hashOf(join(root, source)) ? undefined : known;
  }

  set(test: string, baseline: Baseline | null): void {
    this.#known.set(test, baseline);
    mkdirSync(dirname(this.#file), { recursive: true });
    // A test that does not pass now may pass in the next run.
    writeFileSync(this.#file, JSON.stringify([...this.#known].filter(([, known]) => known !== null)));
  }
}
