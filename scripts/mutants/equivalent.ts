// Mutants that no test can notice, each with the reason.

export interface Equivalent {
  /** End of the file's path. */
  readonly file: string;
  /** Part of the line. */
  readonly text: string;
  readonly was: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'store/postgres/published-columns.ts',
    text: "columns.split('#', 1)[0]",
    was: '1',
    why: 'only the first piece is used, however many there are',
  },
  {
    file: 'explain/origins.ts',
    text: 'replaced_at: origin < 0',
    was: '<',
    why: 'an origin of 0 is unknown: no load has that number, so there is no time to show',
  },
];
