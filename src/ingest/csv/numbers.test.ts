import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseNumber, saysUnknown } from './numbers.ts';

function parsed(text: string): number {
  const bytes = Buffer.from(`,${text},`);
  return parseNumber(bytes, 1, bytes.length - 1);
}

// biome-ignore format: a table
const ACCEPTED = [
  '0', '-0', '7', '0.1', '.5', '5.', '+1.5', '-2.5', '00012.500', '27385.00000000', '2.25e-05', '1E3', ' 42 ',
  '9007199254740991', '9007199254740992', '9007199254740993', '0.30000000000000004', '123456789012345678901234567890',
  '0.00000000000000000000001234', '1.7976931348623157e308', '5e-324', '1e-400',
];

for (const text of ACCEPTED) {
  test(`${JSON.stringify(text)} is read as Number reads it`, () => assert.ok(Object.is(parsed(text), Number(text))));
}

test('every double survives being written and read, to the last bit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => parsed(String(value)) === value),
    { numRuns: 2000 },
  );
});

test('decimals of any length are read as Number reads them', () => {
  const decimal = fc.stringMatching(/^-?\d{1,24}(\.\d{0,30})?(e[+-]?\d{1,2})?$/);
  fc.assert(
    fc.property(decimal, text => Object.is(parsed(text), Number(text))),
    { numRuns: 5000 },
  );
});

// biome-ignore format: a table
const REFUSED = [
  '', '-', '.', '1.2.3', '1,5', '0x10', 'Infinity', 'NaN', '1e999', '1 2', '12$', 'é', '1_000', 'e5', '--1',
];

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is no number`, () => assert.ok(Number.isNaN(parsed(text))));
}

for (const text of ['', 'NULL', 'nan', ' N/A ', 'None', '-', '\\N']) {
  test(`${JSON.stringify(text)} says that a number is unknown`, () => {
    assert.ok(saysUnknown(Buffer.from(text), 0, text.length));
  });
}

for (const text of ['0', 'x', 'nano']) {
  test(`${JSON.stringify(text)} does not say that a number is unknown`, () => {
    assert.ok(!saysUnknown(Buffer.from(text), 0, text.length));
  });
}
