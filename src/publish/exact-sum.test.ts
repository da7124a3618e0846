import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactly } from '../../test/support/oracle/exact.ts';
import { exactSum, signOfSum } from './exact-sum.ts';

/** The sum as a whole number of the smallest doubles, 2⁻¹⁰⁷⁴. */
function sumOfUnits(values: readonly number[]): bigint {
  return values.reduce((sum, value) => sum + unitsOf(value), 0n);
}

function unitsOf(value: number): bigint {
  const { numerator, denominator } = exactly(value);
  return (numerator << 1074n) / denominator;
}

/** No other double is nearer to the sum, and of two that are as near, it is the even one. */
function isNearest(sum: number, exact: bigint): boolean {
  const distance = abs(unitsOf(sum) - exact);
  return [neighbour(sum, 1n), neighbour(sum, -1n)].every(other => {
    const further = abs(unitsOf(other) - exact);
    return distance < further || (distance === further && bitsOf(sum) % 2n === 0n);
  });
}

function neighbour(value: number, step: bigint): number {
  const bits = new DataView(new ArrayBuffer(8));
  if (value === 0) return Number(step) * Number.MIN_VALUE;
  bits.setBigUint64(0, BigInt.asUintN(64, bitsOf(value) + step));
  return bits.getFloat64(0);
}

function bitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return bits.getBigUint64(0);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Numbers whose sums are rounded, cancel, or lie half-way between two doubles. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  fc.constantFrom(0, 0.1, 0.2, 0.3, -0.3, 1, -1, 2 ** 53, -(2 ** 53), 2 ** -53, 2 ** -54, -(2 ** -54), 2 ** -110, 1e16),
);

test('a sum is the nearest double', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 8 }), values => isNearest(exactSum(values), sumOfUnits(values))),
    { numRuns: 3000 },
  );
});

test('a sum half-way between two doubles is decided by what is below', () => {
  assert.equal(exactSum([1, 2 ** -53]), 1);
  assert.equal(exactSum([1, 2 ** -53, 2 ** -110]), 1 + 2 ** -52);
  assert.equal(exactSum([1 + 2 ** -52, 2 ** -53, -(2 ** -110)]), 1 + 2 ** -52);
  assert.equal(exactSum([]), 0);
});

test('the sign of a sum is exact', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 8 }), values => {
      const exact = sumOfUnits(values);
      return signOfSum(values) === (exact > 0n ? 1 : exact < 0n ? -1 : 0);
    }),
    { numRuns: 3000 },
  );
  assert.equal(signOfSum([0.1, 0.2, -0.3]), 1);
  assert.equal(signOfSum([1e300, 1, -1e300, -1]), 0);
});
