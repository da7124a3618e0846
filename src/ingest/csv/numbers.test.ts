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
  '', '-', '.', '1.2.3', '1,234', '999,999', '1,23,456', '1.234,567,8', '1,234.567,8', ',', '0x10', 'info', 'NaN', '1e999', '1 2', '12€', '$', '$$5', '5 EUR', 'é', '1_000', 'e5', '--1',
];

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is not a number`, () => assert.ok(Number.isNaN(parsed(text))));
}

test('a division by zero is infinite, so that the number is refused and not its bar', () => {
  assert.deepEqual(['inf', '+Infinity', '-inf'].map(parsed), [Infinity, Infinity, -Infinity]);
});

for (const [text, value, decimal] of [
  ['1,234.5', 1234.5],
  ['71,108.5', 71108.5],
  ['-1,234,567', -1234567],
  ['1,234,567.25', 1234567.25],
  ['1.234,5', 1234.5],
  ['1.234.567', 1234567],
  ['0,5', 0.5],
  ['0,123', 0.123],
  ['1234,567', 1234.567],
  ['1,5', 1.5],
  ['1,234', 1234, '.'],
  ['1,234', 1.234, ','],
  ['1.234', 1.234],
  ['1.234', 1.234, '.'],
  ['1.234', 1234, ','],
  ['12', 12, ','],
  ['$1,234.50', 1234.5],
  ['116,12 $', 116.12],
  ['116,12\u00a0$', 116.12],
  ['-$5', -5],
  ['US$ 12.5', 12.5],
  ['12$', 12],
  ['71,108.5 USD', 71108.5],
  ['$1,234', 1234, '.'],
  ['1,234 $', 1.234, ','],
] as const) {
  test(`${text} is ${value}${decimal === undefined ? '' : ` with the decimal sign ${decimal}`}`, () => {
    const bytes = Buffer.from(text);
    assert.equal(parseNumber(bytes, 0, bytes.length, decimal), value);
  });
}

for (const [text, decimal] of [
  ['0,5', '.'],
  ['1,234.5', ','],
] as const) {
  test(`${text} is not a number with the decimal sign ${decimal}`, () => {
    assert.ok(Number.isNaN(parseNumber(Buffer.from(text), 0, text.length, decimal)));
  });
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
