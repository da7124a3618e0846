import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '../common/steps.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { Interval } from '../domain/interval.ts';
import { type IndexedAsset, RENDERED_ASSET_BYTES, type Table } from '../snapshot/table.ts';
import { type AssetTableMaker, AssetTables } from './asset-tables.ts';
import { type HistoryTable, historyTable, historyTableInSteps } from './history-table.ts';

const [FIRST, LAST] = [20_000 as Day, 20_009 as Day];
const AT_ONCE = <T>(read: () => T) => read();
const snapshot = { fingerprint: 'one', version: 1 };

function asset(assetNumber: number, facts: Partial<IndexedAsset> = {}): IndexedAsset {
  const days = { firstDay: FIRST, lastDay: LAST, isNew: false, isActive: true };
  return {
    assetNumber,
    id: `a${assetNumber}-a`,
    symbol: `A${assetNumber}`,
    name: 'A',
    rank: null,
    type: null,
    ...days,
    ...facts,
  };
}

/** A store whose assets have the close `key` on every day, and which notes what it is asked for. */
class Bars {
  readonly asked: string[] = [];
  fails = false;
  version = 1;

  readonly maker: AssetTableMaker<BarColumns> = {
    read: (_, asset, interval, version) => this.#read(asset, interval, version),
    none: barColumns(0),
    make: (symbol, bars) => historyTableInSteps(symbol, bars, null),
  };

  async #read(
    { assetNumber, firstDay, lastDay }: IndexedAsset,
    _: Interval,
    version?: number,
  ): Promise<{ version: number; data: BarColumns | null }> {
    const [from, to] = [firstDay!, lastDay!];
    this.asked.push(`${assetNumber}: ${from}..${to}`);
    if (this.fails) throw new Error('the store is unreachable');
    const columns = barColumns(to - from + 1);
    columns.day.forEach((_, i) => {
      columns.day[i] = from + i;
    });
    columns.close.fill(assetNumber);
    return { version: this.version, data: version === this.version || version === undefined ? columns : null };
  }
}

describe('the tables of single assets', () => {
  it('read the published days of an asset, and no others', async () => {
    const bars = new Bars();
    const table = await new AssetTables(bars.maker, () => {}, 2 ** 24).table(snapshot, asset(7), '1d');
    assert.deepEqual(bars.asked, ['7: 20000..20009']);
    assert.equal(table?.rows, 10);
  });

  it('read nothing of an asset without prices, which has no rows', async () => {
    const bars = new Bars();
    const table = await new AssetTables(bars.maker, () => {}, 2 ** 24).table(
      snapshot,
      asset(7, { firstDay: null, lastDay: null }),
      '1d',
    );
    assert.equal(table?.rows, 0);
    assert.deepEqual(bars.asked, []);
  });

  it('compute an asset once for a snapshot, also when many ask at once', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 2 ** 24);
    const made = await Promise.all(Array.from({ length: 5 }, () => tables.table(snapshot, asset(1), '1d')));
    made.push(await tables.table(snapshot, asset(1), '1d'));
    assert.equal(new Set(made).size, 1);
    assert.equal(bars.asked.length, 1);
  });

  it('compute each interval of an asset', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 2 ** 24);
    const [day, week] = [await tables.table(snapshot, asset(1), '1d'), await tables.table(snapshot, asset(1), '1w')];
    assert.notEqual(day, week);
    assert.equal(await tables.table(snapshot, asset(1), '1w'), week);
    assert.equal(bars.asked.length, 2);
  });

  it('compute it again for another snapshot, and keep nothing of the one before', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 2 ** 24);
    await tables.table(snapshot, asset(1), '1d');
    await tables.table({ fingerprint: 'two', version: 1 }, asset(1), '1d');
    assert.equal(bars.asked.length, 2);
    await tables.table(snapshot, asset(1), '1d');
    assert.equal(bars.asked.length, 3);
  });

  it('evict what was not requested again when memory is short', async () => {
    const bars = new Bars();
    // A short history counts somewhat more than half a megabyte, so two fit.
    const tables = new AssetTables(bars.maker, () => {}, 1.5 * 2 ** 20);
    for (const assetNumber of [1, 2, 1, 3]) await tables.table(snapshot, asset(assetNumber), '1d');
    assert.equal(bars.asked.length, 3);
    await tables.table(snapshot, asset(1), '1d');
    await tables.table(snapshot, asset(3), '1d');
    assert.equal(bars.asked.length, 3, '1 and 3 are kept');
    await tables.table(snapshot, asset(2), '1d');
    assert.equal(bars.asked.length, 4, '2 is not');
  });

  it('pass on every table that they remove, once', async () => {
    const bars = new Bars();
    const removed: Table[] = [];
    const tables = new AssetTables(bars.maker, table => removed.push(table), 1.5 * 2 ** 20);
    const made: (Table | null)[] = [];
    for (const assetNumber of [1, 2, 3]) made.push(await tables.table(snapshot, asset(assetNumber), '1d'));
    assert.deepEqual(removed, made.slice(0, 1));
    await tables.table({ fingerprint: 'two', version: 1 }, asset(9), '1d');
    assert.deepEqual(removed, made);
  });

  it('keep nothing that is larger than all of their memory', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 1000);
    for (let i = 0; i < 2; i++) assert.equal((await tables.table(snapshot, asset(1), '1d'))?.rows, 10);
    assert.equal(bars.asked.length, 2);
  });

  it('count what a table has made, and let it go once that is too much', async () => {
    const bars = new Bars();
    const long = asset(1, { lastDay: (FIRST + 9_999) as Day });
    const own = historyTable('A1', await bars.maker.read(AT_ONCE, long, '1d').then(({ data }) => data!), null).bytes;
    const tables = new AssetTables(bars.maker, () => {}, own + 2 * RENDERED_ASSET_BYTES + 2 ** 20);
    bars.asked.length = 0;
    const table = await tables.table(snapshot, long, '1d');
    assert.equal(await tables.table(snapshot, long, '1d'), table);
    assert.equal(bars.asked.length, 1, 'without the optional columns it fits');
    finish((table as HistoryTable).prepareOptional());
    assert.ok(table!.bytes > 2 * own);
    assert.equal(await tables.table(snapshot, long, '1d'), table);
    await tables.table(snapshot, long, '1d');
    assert.equal(bars.asked.length, 2, 'with them it does not');
  });

  it('do not keep a failure', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 2 ** 24);
    bars.fails = true;
    const both = [tables.table(snapshot, asset(1), '1d'), tables.table(snapshot, asset(1), '1d')];
    for (const answer of both) await assert.rejects(answer, /the store is unreachable/);
    bars.fails = false;
    assert.equal((await tables.table(snapshot, asset(1), '1d'))?.rows, 10);
    assert.equal(bars.asked.length, 2);
  });

  it('have none while the store has published another version, but for those that were made before', async () => {
    const bars = new Bars();
    const tables = new AssetTables(bars.maker, () => {}, 2 ** 24);
    await tables.table(snapshot, asset(2), '1d');
    bars.version = 2;
    const both = [tables.table(snapshot, asset(1), '1d'), tables.table(snapshot, asset(1), '1d')];
    assert.deepEqual(await Promise.all(both), [null, null]);
    assert.equal((await tables.table(snapshot, asset(2), '1d'))?.rows, 10);
    assert.equal((await tables.newest(asset(1), '1d')).version, 2);
    assert.equal(bars.asked.length, 3);
    assert.equal((await tables.table({ fingerprint: 'two', version: 2 }, asset(1), '1d'))?.rows, 10);
  });
});
