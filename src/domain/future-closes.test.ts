import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayFromIso } from './day.ts';
import { futureWarning } from './future-closes.ts';

const NOW = Date.parse('2020-06-30T23:59:59Z');

test('closes up to today are not of the future', () => {
  for (const day of ['2020-06-29', '2020-06-30']) assert.equal(futureWarning(dayFromIso(day)!, NOW), null);
});

test('a later close is, and the warning names both days', () => {
  const warning = futureWarning(dayFromIso('2026-11-18')!, NOW);
  assert.match(warning!, /close is of 2026-11-18, and the clock of this machine is on 2020-06-30: check the clock/);
});

test('a clock that is out of range is named so', () => {
  assert.match(futureWarning(dayFromIso('2026-11-18')!, -1)!, /out of range/);
});
