// Cases that anyone can check with pencil and paper; docs/explanation/formulas.md works through them.

export interface HandCase {
  readonly name: string;
  readonly closes: readonly number[];
  readonly expected: Readonly<Record<string, number | null>>;
}

const { LN2 } = Math;

export const BY_HAND: readonly HandCase[] = [
  {
    name: 'one close: averages are the price, spreads are 0, changes are null',
    closes: [42],
    expected: { change1: null, change365: null, sma5: 42, sma365: 42, var5: 0, var50: 0, vol5: 0, vol50: 0 },
  },
  {
    name: 'a ramp of one to six',
    closes: [1, 2, 3, 4, 5, 6],
    // The last five are 2 … 6: mean 4, squared deviations 4 + 1 + 0 + 1 + 4 = 10, divided by 5.
    // All six: mean 3.5, squared deviations 2 · (6.25 + 2.25 + 0.25) = 17.5, divided by 6.
    expected: { change1: 20, change5: 500, change7: null, sma5: 4, sma7: 3.5, var5: 2, var7: 17.5 / 6 },
  },
  {
    name: 'a price that doubles and halves in turn',
    closes: [1, 2, 1, 2, 1, 2],
    // Returns + − + − + ln 2: their sum is ln 2, the sum of squares 5 ln² 2, so the sample variance is
    // (5 − 1/5) / 4 · ln² 2 = 1.2 ln² 2.
    expected: { change1: 100, change5: 100, sma5: 1.6, var5: 0.24, vol5: Math.sqrt(1.2 * 365) * LN2 * 100 },
  },
  {
    name: 'two closes have one return, and one return has no deviation',
    closes: [100, 110],
    expected: { change1: 10, change5: null, sma5: 105, var5: 25, vol5: 0 },
  },
  {
    name: 'equal returns have no deviation, however large they are',
    closes: [1, 2, 4, 8, 16, 32],
    expected: { change1: 100, change5: 3100, vol5: 0, vol50: 0 },
  },
];
