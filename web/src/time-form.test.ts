import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { formatMoment, formatPeriod, formatPeriodInZone, parseLocalInput, timeForm } from './time-form.ts';

const NOON = Date.parse('2026-11-17T12:30:00Z');
const SUMMER = Date.parse('2026-07-01T22:30:00Z');

describe('a time', () => {
  const { TZ } = process.env;
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    timeForm.value = 'utc';
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  it('is written in UTC', () => {
    assert.equal(formatMoment(NOON), '2026-11-17 12:30');
    assert.equal(formatPeriodInZone(NOON, '1m'), '2026-11-17 12:30 UTC');
  });

  it('is written in the local zone on request, with its offset at that time', () => {
    timeForm.value = 'local';
    assert.equal(formatMoment(NOON), '2026-11-17 13:30');
    assert.equal(formatMoment(SUMMER), '2026-07-02 00:30');
    assert.match(formatPeriodInZone(SUMMER, '30m'), /^2026-07-02 00:30 (GMT\+2|CEST)$/);
  });

  it('that is a day stays the UTC day in every zone', () => {
    timeForm.value = 'local';
    assert.equal(formatPeriod(Date.parse('2026-07-01T00:00:00Z'), '1d'), '2026-07-01');
    assert.equal(formatPeriodInZone(Date.parse('2026-07-01T00:00:00Z'), '1w'), '2026-07-01 UTC');
  });

  it('that is typed is of the zone in which times are written', () => {
    assert.equal(parseLocalInput('2026-11-17T12:30'), NOON);
    timeForm.value = 'local';
    assert.equal(parseLocalInput('2026-11-17T13:30'), NOON);
    assert.equal(parseLocalInput('2026-11-17'), null);
  });
});
