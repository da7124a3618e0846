import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BrokenSeal, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

const VALUES = [Math.PI, 0, -0, 1.5, Number.NaN, Number.MAX_VALUE, 5e-324, Number.NEGATIVE_INFINITY];

function bytesOf(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const numbers = newNumbers(values.length);
  numbers.set(values);
  return sealed(numbers);
}

describe('sealed numbers', () => {
  for (const values of [[], [42], VALUES]) {
    it(`are the ${values.length} that were sealed`, () => {
      assert.deepEqual([...unsealed(bytesOf(values))], values);
      assert.equal(bytesOf(values).length, 8 * values.length + 4);
    });
  }

  it('can be changed and sealed again in their place', () => {
    const numbers = unsealed(bytesOf([1, 2, 3]));
    numbers[1] = 7;
    assert.deepEqual([...unsealed(sealed(numbers))], [1, 7, 3]);
  });

  it('end with the checksum of PNG and gzip over their bytes', () => {
    // The CRC-32 of eight zero bytes is 6522DF69.
    assert.deepEqual([...bytesOf([0]).subarray(8)], [0x69, 0xdf, 0x22, 0x65]);
  });

  it('are refused when any bit has changed', () => {
    const bytes = bytesOf(VALUES);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      assert.throws(() => unsealed(bytes), BrokenSeal, `bit ${bit}`);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    assert.equal(unsealed(bytes).length, VALUES.length);
  });

  it('are refused when some are missing or too many', () => {
    const bytes = bytesOf(VALUES);
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => unsealed(bytes.slice(0, length)), BrokenSeal, `${length} bytes`);
    }
    assert.throws(() => unsealed(Uint8Array.of(...bytes, 0)), BrokenSeal);
  });

  it('are refused when they are all zeros, as a page that was never written', () => {
    assert.throws(() => unsealed(new Uint8Array(8 * 32 + 4)), BrokenSeal);
  });
});
