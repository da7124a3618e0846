// Mutants that no test can notice, each with the reason.

export interface Equivalent {
  /** End of the file's path. */
  readonly file: string;
  /** Part of the line. */
  readonly text: string;
  readonly was: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];
