// What became of the mutants of earlier runs, so that a run continues where the one before it ended.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Place } from './report.ts';

export class KnownOutcomes {
  readonly #file: string;
  /** Per mutant, the test file that fails with it; null if none does. */
  readonly #killers: Map<string, string | null>;

  constructor(file: string) {
    this.#file = file;
    this.#killers = new Map(read(file));
  }

  has(place: Place): boolean {
    return this.#killers.has(nameOf(place));
  }

  killerOf(place: Place): string | null {
    return this.#killers.get(nameOf(place)) ?? null;
  }

  add(place: Place, killer: string | null): void {
    this.#killers.set(nameOf(place), killer);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify([...this.#killers]));
  }
}

/** With the line, so that another change of the file at the same place is another mutant. */
function nameOf({ mutant: { file, at, was, becomes }, text }: Place): string {
  return JSON.stringify([file, at, was, becomes, text]);
}

function read(file: string): [string, string | null][] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')); // written by `add`
  } catch {
    return []; // the first run
  }
}
