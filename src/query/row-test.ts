// A filter as the loops see it: it works on many rows at a time, never on one.

export interface RowTest {
  /** Writes the rows of `from … to - 1` that pass to `out`, from `at` on; returns the end of what it wrote. */
  scan(from: number, to: number, out: Uint32Array, at: number): number;
  /** Of `rows[from … to - 1]` keeps those that pass, in their order, from `from` on; returns their end. */
  keep(rows: Uint32Array, from: number, to: number): number;
}
