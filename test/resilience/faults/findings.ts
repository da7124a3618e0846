// What fault tests have found, for the report of `npm run faults`: each tells it as a diagnostic of its test.

import type { TestContext } from 'node:test';

/** What must hold whatever happens. */
export const INVARIANTS = {
  bars: 'no acknowledged bar is lost',
  snapshots: 'no snapshot is torn or mixed',
  answers: 'no request is answered with wrong data',
  keys: 'keys are as they were made',
  alerts: 'no message of an alert is lost, and a repeated one has the same id',
} as const;

export type Invariant = keyof typeof INVARIANTS;

export interface Finding {
  readonly fault: string;
  readonly rounds: number;
  readonly checked: readonly Invariant[];
  /** More on what was done. */
  readonly note: string;
  readonly seconds: number;
  /** What was wrong; null when nothing was. */
  readonly violation: string | null;
}

const ALL: readonly Invariant[] = ['bars', 'snapshots', 'answers', 'keys'];
const MARK = 'tidemark-finding ';

export interface Trial {
  readonly fault: string;
  readonly rounds: number;
  /** All of them unless it says otherwise. */
  readonly checked?: readonly Invariant[];
}

/** Runs the rounds of a fault and tells how they went. `work` may return a note. */
export async function trial(
  t: TestContext,
  { fault, rounds, checked = ALL }: Trial,
  work: () => Promise<string | undefined>,
): Promise<void> {
  const began = performance.now();
  const tell = (note: string, violation: string | null) => {
    const seconds = (performance.now() - began) / 1000;
    t.diagnostic(MARK + JSON.stringify({ fault, rounds, checked, note, seconds, violation } satisfies Finding));
  };
  try {
    tell((await work()) ?? '', null);
  } catch (error) {
    tell('', error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Null for a diagnostic that tells of something else. */
export function findingOf(diagnostic: string): Finding | null {
  // Written by `trial`, hence of this shape.
  return diagnostic.startsWith(MARK) ? (JSON.parse(diagnostic.slice(MARK.length)) as Finding) : null;
}
