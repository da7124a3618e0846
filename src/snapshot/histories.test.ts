import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barColumns } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { PublishedCloses } from '../store/store.ts';
import type { IndexedAsset } from './asset-index.ts';
import { Histories } from './histories.ts';
import type { Table } from './table.ts';

const [FIRST, LAST] = [20_000 as Day, 20_009 as Day];
const snapshot = { fingerprint: 'one', version: 1 };

function asset(key: number, facts: Partial<IndexedAsset> = {}): IndexedAsset {
  const days = { firstDay: FIRST, lastDay: LAST, isNew: false, isActive: true };
  return { key, id: `a${key}-a`, symbol: `A${key}`, name: 'A', rank: null, type: null, ...days, ...facts };
}

/** A store whose assets have the close `key` on every day, and which notes what it is asked for. */
class Bars {
  readonly asked: string[] = [];
  fails = false;
  version = 1;

  readonly read = async (key: number, from: Day, to: Day, version?: number): Promise<PublishedCloses> => {
    this.asked.push(`${key}: ${from}..${to}`);
    if (this.fails) throw new Error('the store is unreachable');
    const columns = barColumns(to - from + 1);
    columns.day.forEach((_, i) => {
      columns.day[i] = from + i;
    });
    columns.close.fill(key);
    return { version: this.version, closes: version === this.version || version === undefined ? columns : null };
  };
}

describe('the histories', () => {
  it('read the published days of an asset, and no others', async () => {
    const bars = new Bars();
    const table = await new Histories(bars.read, () => {}).table(snapshot, asset(7));
    assert.deepEqual(bars.asked, ['7: 20000..20009']);
    assert.equal(table?.rows, 10);
  });

  it('read nothing of an asset without prices, which has no rows', async () => {
    const bars = new Bars();
    const table = await new Histories(bars.read, () => {}).table(snapshot, asset(7, { firstDay: null, lastDay: null }));
    assert.equal(table?.rows, 0);
    assert.deepEqual(bars.asked, []);
  });

  it('compute an asset once for a snapshot, also when many ask at once', async () => {
    const bars = new Bars();
    const histories = new Histories(bars.read, () => {});
    const tables = await Promise.all(Array.from({ length: 5 }, () => histories.table(snapshot, asset(1))));
    tables.push(await histories.table(snapshot, asset(1)));
    assert.equal(new Set(tables).size, 1);
    assert.equal(bars.asked.length, 1);
  });

  it('compute it again for another snapshot, and keep nothing of the one before', async () => {
    const bars = new Bars();
    const histories = new Histories(bars.read, () => {});
    await histories.table(snapshot, asset(1));
    await histories.table({ fingerprint: 'two', version: 1 }, asset(1));
    assert.equal(bars.asked.length, 2);
    await histories.table(snapshot, asset(1));
    assert.equal(bars.asked.length, 3);
  });

  it('evict what was not requested again when memory is short', async () => {
    const bars = new Bars();
    // A short history counts somewhat more than half a megabyte, so two fit.
    const histories = new Histories(bars.read, () => {}, 1.5 * 2 ** 20);
    for (const key of [1, 2, 1, 3]) await histories.table(snapshot, asset(key));
    assert.equal(bars.asked.length, 3);
    await histories.table(snapshot, asset(1));
    await histories.table(snapshot, asset(3));
    assert.equal(bars.asked.length, 3, '1 and 3 are kept');
    await histories.table(snapshot, asset(2));
    assert.equal(bars.asked.length, 4, '2 is not');
  });

  it('pass on every table that they remove, once', async () => {
    const bars = new Bars();
    const removed: Table[] = [];
    const histories = new Histories(bars.read, table => removed.push(table), 1.5 * 2 ** 20);
    const tables: (Table | null)[] = [];
    for (const key of [1, 2, 3]) tables.push(await histories.table(snapshot, asset(key)));
    assert.deepEqual(removed, tables.slice(0, 1));
    await histories.table({ fingerprint: 'two', version: 1 }, asset(9));
    assert.deepEqual(removed, tables);
  });

  it('keep nothing that is larger than all of their memory', async () => {
    const bars = new Bars();
    const histories = new Histories(bars.read, () => {}, 1000);
    for (let i = 0; i < 2; i++) assert.equal((await histories.table(snapshot, asset(1)))?.rows, 10);
    assert.equal(bars.asked.length, 2);
  });

  it('do not keep a failure', async () => {
    const bars = new Bars();
    const histories = new Histories(bars.read, () => {});
    bars.fails = true;
    const both = [histories.table(snapshot, asset(1)), histories.table(snapshot, asset(1))];
    for (const answer of both) await assert.rejects(answer, /the store is unreachable/);
    bars.fails = false;
    assert.equal((await histories.table(snapshot, asset(1)))?.rows, 10);
    assert.equal(bars.asked.length, 2);
  });

  it('have none while the store has published another version, but for those that were made before', async () => {
    const bars = new Bars();
    const histories = new Histories(bars.read, () => {});
    await histories.table(snapshot, asset(2));
    bars.version = 2;
    const both = [histories.table(snapshot, asset(1)), histories.table(snapshot, asset(1))];
    assert.deepEqual(await Promise.all(both), [null, null]);
    assert.equal((await histories.table(snapshot, asset(2)))?.rows, 10);
    assert.equal((await histories.newest(asset(1))).version, 2);
    assert.equal(bars.asked.length, 3);
    assert.equal((await histories.table({ fingerprint: 'two', version: 2 }, asset(1)))?.rows, 10);
  });
});
