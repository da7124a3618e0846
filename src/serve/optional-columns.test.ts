import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asset, NOW, row } from '../../test/support/market.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { OptionalColumns } from './optional-columns.ts';

function snapshot(optional: boolean): Snapshot {
  const own = optional ? row(1) : row(1, { values: new Float64Array(INDICATORS.length) });
  return buildSnapshot({ version: 1, assets: [asset({ assetNumber: 1 })], rows: [own], now: NOW });
}

describe('requests for optional columns', () => {
  it('are answered at once if the snapshot has them', () => {
    const columns = new OptionalColumns(() => assert.fail('they are there'));
    const current = snapshot(true);
    assert.equal(columns.get(current), current);
  });

  it('wait for the first snapshot that has them, which is asked for once', async () => {
    let asked = 0;
    const columns = new OptionalColumns(() => asked++);
    const waiting = Promise.all([columns.get(snapshot(false)), columns.get(snapshot(false))]);
    columns.receive(snapshot(false));
    const next = snapshot(true);
    columns.receive(next);
    assert.deepEqual([asked, await waiting], [1, [next, next]]);
  });

  it('are refused as soon as that has failed', async () => {
    const columns = new OptionalColumns(() => setImmediate(() => columns.fail()));
    const failed = { code: 'columns_pending', message: /could not publish/ };
    await assert.rejects(Promise.resolve(columns.get(snapshot(false))), failed);
  });

  it('are refused when that takes too long, and asked for again by the next one', async () => {
    let asked = 0;
    const columns = new OptionalColumns(() => asked++, 5);
    const hold = setTimeout(() => {}, 10_000);
    await assert.rejects(Promise.resolve(columns.get(snapshot(false))), { code: 'columns_pending' });
    clearTimeout(hold);
    const next = columns.get(snapshot(false));
    columns.receive(snapshot(true));
    await next;
    assert.equal(asked, 2);
  });
});
