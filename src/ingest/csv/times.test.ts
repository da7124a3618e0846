import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateFormat, possibleFormats } from './date-format.ts';
import { parseInstant } from './times.ts';

function parsed(text: string): number {
  const bytes = Buffer.from(`,${text},12.5`);
  return parseInstant(bytes, 1, 1 + Buffer.byteLength(text));
}

const READ: readonly (readonly [string, string])[] = [
  ['2024-05-12', '2024-05-12T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['1970-01-01', '1970-01-01T00:00:00.000Z'],
  ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ['2024/05/12', '2024-05-12T00:00:00.000Z'],
  ['20240512', '2024-05-12T00:00:00.000Z'],
  ['2024-05-12 13:45', '2024-05-12T13:45:00.000Z'],
  ['2024-05-12 13:45:10', '2024-05-12T13:45:10.000Z'],
  ['2024-05-12T13:45:10.25Z', '2024-05-12T13:45:10.250Z'],
  ['2024-05-12t13:45:10z', '2024-05-12T13:45:10.000Z'],
  ['2024-05-12 13:45:10 UTC', '2024-05-12T13:45:10.000Z'],
  ['2024-05-12T23:59:59.999999999Z', '2024-05-12T23:59:59.999Z'],
  ['2024-05-12T01:00:00+02:00', '2024-05-11T23:00:00.000Z'],
  ['2024-05-12T23:30:00-0100', '2024-05-13T00:30:00.000Z'],
  ['2024-05-12 00:00:00+00', '2024-05-12T00:00:00.000Z'],
  ['2020-12-30 08-PM', '2020-12-30T20:00:00.000Z'],
  ['2020-12-30 12-AM', '2020-12-30T00:00:00.000Z'],
  ['2020-12-30 12-PM', '2020-12-30T12:00:00.000Z'],
  ['1502928000.0', '2017-08-17T00:00:00.000Z'],
  ['1609286400', '2020-12-30T00:00:00.000Z'],
  ['1609286400000', '2020-12-30T00:00:00.000Z'],
  ['1609286399999', '2020-12-29T23:59:59.999Z'],
  ['1609286399999999', '2020-12-29T23:59:59.999Z'],
  ['1609286399999999999', '2020-12-29T23:59:59.999Z'],
  ['100000000', '1973-03-03T09:46:40.000Z'],
  ['Sep 05, 2017', '2017-09-05T00:00:00.000Z'],
  ['Nov 15, 2026', '2026-11-15T00:00:00.000Z'],
  ['september 5 2017', '2017-09-05T00:00:00.000Z'],
  ['5 Sept. 2017 13:45', '2017-09-05T13:45:00.000Z'],
  ['5-May-2017', '2017-05-05T00:00:00.000Z'],
  ['15.11.2026', '2026-11-15T00:00:00.000Z'],
  ['1.2.2026', '2026-02-01T00:00:00.000Z'],
];

for (const [text, instant] of READ) {
  test(`${text} is ${instant}`, () => assert.equal(new Date(parsed(text)).toISOString(), instant));
}

// biome-ignore format: a table
const REFUSED = [
  '', 'yesterday', '2023-02-29', '1900-01-01', '2024-13-01', '2024-00-10', '2024-05-00', '2024-05-32', '2024-5-1',
  '05/06/2024', '24/03/2024', '03.24.2024', '32.01.2024', 'Smarch 05, 2017', 'Sep 31, 2017', '2024-05-12 24:00:00', '2024-05-12 10:60', '2024-05-12T10:00:00+15:00',
  '2024-05-12 later', '2024', '45424', '0', '-1609286400', '1.6E+12', '2020-12-30 13-PM', '16092864000000000000000',
  'NULL', '２０２４-05-12', '1970-01-01T00:00:00+01:00',
];

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is not a time`, () => assert.ok(Number.isNaN(parsed(text))));
}

for (const [format, text, day] of [
  ['MM/DD/YYYY', '03/24/2024', '2024-03-24'],
  ['MM/DD/YYYY', '3/4/2024', '2024-03-04'],
  ['DD/MM/YYYY', '3/4/2024', '2024-04-03'],
  ['dd/mm/yyyy', '03/04/2024', '2024-04-03'],
  ['%m/%d/%Y', '03/24/2024', '2024-03-24'],
  ['%-d %B %y', '5 March 24', '2024-03-05'],
  ['M.D.YY', '3.24.24', '2024-03-24'],
  ['D MMM, YYYY', '5 Mar, 2024', '2024-03-05'],
  ['YYYY/DD/MM', '2024/05/03', '2024-03-05'],
  // Other forms that have one reading stay readable.
  ['MM/DD/YYYY', '2024-03-24', '2024-03-24'],
] as const) {
  test(`${text} in the format ${format} is ${day}`, () => {
    const bytes = Buffer.from(text);
    assert.equal(parseInstant(bytes, 0, bytes.length, dateFormat(format)), Date.parse(day));
  });
}

test('a time may follow a date in a named format, and days that do not exist are refused', () => {
  const at = (text: string) => parseInstant(Buffer.from(text), 0, text.length, dateFormat('MM/DD/YYYY'));
  assert.equal(at('03/24/2024 13:45'), Date.parse('2024-03-24T13:45Z'));
  for (const text of ['24/03/2024', '02/30/2024', '03/24/2024x', '03-24-2024']) assert.ok(Number.isNaN(at(text)), text);
});

for (const format of ['MM/DD', 'YYYY', 'MM/MM/YYYY', '', 'hello', 'YYYY-MM-DD-DD']) {
  test(`the format ${JSON.stringify(format)} is refused`, () => {
    assert.throws(() => dateFormat(format), { name: 'SourceError', hint: /MM\/DD\/YYYY/ });
  });
}

for (const [text, formats] of [
  ['03/24/2024', ['MM/DD/YYYY']],
  ['24/03/2024', ['DD/MM/YYYY']],
  ['03/04/24', ['MM/DD/YY', 'DD/MM/YY']],
  ['03-04-2024 10:00', ['MM-DD-YYYY', 'DD-MM-YYYY']],
  ['2024-03-04', []],
  ['never', []],
] as const) {
  test(`${text} can be of the formats ${formats.join(' and ') || 'none'}`, () => {
    assert.deepEqual(possibleFormats(text), formats);
  });
}

test('an instant is the same whichever unit it is written in', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e8, max: 1e10 }), seconds => {
      const written = ['', '000', '000000', '000000000', '.0'].map(zeros => parsed(`${seconds}${zeros}`));
      return written.every(instant => instant === seconds * 1000);
    }),
  );
});

test('every day of the calendar is read as the platform reads it', () => {
  for (let day = 0; day < 2_932_897; day += 37) {
    const iso = new Date(day * 86_400_000).toISOString();
    assert.equal(parsed(iso.slice(0, 10)), day * 86_400_000);
  }
});
