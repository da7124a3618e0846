import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyValue, uniform } from '../../test/support/market.ts';
import { LONGEST_NUMBER, writeNumber } from './number-text.ts';

const out = Buffer.alloc(LONGEST_NUMBER + 3);

function written(value: number): string {
  const end = writeNumber(value, out, 3);
  assert.ok(end <= out.length, `${value} fits`);
  return out.toString('latin1', 3, end);
}

function assertAsTheLanguage(value: number): void {
  // Faster than an assertion for each of many.
  if (written(value) !== String(value)) assert.equal(written(value), String(value));
}

/** The doubles around one, which differ from it in their last bits only. */
function* neighbours(value: number): Generator<number> {
  const double = new Float64Array([value]);
  const bits = new BigInt64Array(double.buffer);
  bits[0]! -= 3n;
  for (let i = 0; i < 7; i++) {
    yield double[0]!;
    bits[0]! += 1n;
  }
}

const random = uniform(11);
const digits = (count: number) => Math.floor(random() * 10 ** count);
const doubleOfBits = () => {
  const words = new Uint32Array([random() * 2 ** 32, random() * 2 ** 32]);
  return new Float64Array(words.buffer)[0]!;
};

describe('a number as bytes is what the language writes', () => {
  for (const [name, count, value] of [
    ['for any double', 100_000, doubleOfBits],
    ['for numbers of the usual sizes', 150_000, () => (random() - 0.5) * 10 ** (random() * 40 - 20)],
    ['for short decimals', 100_000, () => Number(`${digits(1 + random() * 8)}e${Math.floor(random() * 30 - 20)}`)],
    ['for decimals of 15 to 17 digits', 100_000, () => Number(`${digits(8)}${digits(8)}.${digits(1)}e-${digits(1)}`)],
    ['for whole numbers', 50_000, () => Math.floor(2 ** (random() * 70))],
    ['for quarters and eighths', 50_000, () => digits(6) / 8],
    ['for what a table may hold', 50_000, () => anyValue(random)],
  ] as const satisfies [string, number, () => number][]) {
    it(name, () => {
      for (let i = 0; i < count; i++) {
        const number = value();
        if (Number.isFinite(number)) assertAsTheLanguage(number);
      }
    });
  }

  it('for every power of ten and of two, and the doubles around it', () => {
    for (let power = -323; power <= 308; power++)
      for (const number of neighbours(Number(`1e${power}`))) assertAsTheLanguage(number);
    for (let power = -1070; power < 1024; power++)
      for (const number of neighbours(2 ** power)) assertAsTheLanguage(number);
  });

  it('where the form changes', () => {
    for (const text of [
      '1e21',
      '100000000000000000000',
      '123456789012345680000',
      '1.5e-7',
      '0.000001',
      '0.0000015',
      '1e-7',
      '-1e+25',
      '5e-324',
      '1.7976931348623157e+308',
      '0',
      '-0',
      '9007199254740993',
      '0.3',
      '0.1',
      '9.5',
      '-0.25',
      '4.35',
      '999999999999999900000',
    ]) {
      for (const number of neighbours(Number(text))) if (Number.isFinite(number)) assertAsTheLanguage(number);
    }
  });
});
