import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TA_CUR } from '../../domain/datasets.ts';
import { CLIENT_GONE } from '../../http/protection/scheduler-client.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { ServiceContext } from '../context.ts';
import { listedSource } from './source.ts';

const REQUESTER = { client: 'one', isGone: () => true };

function sourceOf(query: string) {
  const failing = async () => {
    await turn();
    throw CLIENT_GONE;
  };
  const snapshot = { fingerprint: 'a', version: 1, tables: { 'ta-cur': {}, assets: { rows: 0 } }, listed: {} };
  // What is read of both before the table is there.
  const context = {
    snapshot: () => snapshot,
    now: () => Date.parse('2026-01-10'),
    intervals: () => [{ interval: '1d' }, { interval: '1h' }],
    past: failing,
    optional: failing,
  } as unknown as ServiceContext;
  return listedSource(context, parsePlan(TA_CUR, query), 'ta-cur', null, REQUESTER);
}

describe('rows that are not in memory, of a client that has left', () => {
  for (const query of ['as_of=2026-01-01', 'interval=1h', 'inactive=true']) {
    // A rejection without a handler would fail the test, as it would end a serving thread.
    it(`fail without an unhandled rejection when no request asks for the table: ${query}`, async () => {
      const { table } = sourceOf(query);
      for (let i = 0; i < 3; i++) await turn();
      assert.equal(typeof table, 'function');
      if (typeof table === 'function') await assert.rejects(table(), CLIENT_GONE);
    });
  }
});
