import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { plainTable, randomMarket, uniform } from '../../../test/support/market.ts';
import { JSON_PAGE } from '../../render/json.ts';
import { renderPage } from '../../render/page.ts';
import { rowNumbers } from '../columns/shared-memory.ts';
import type { Table } from '../table.ts';
import { buildSnapshot } from './build.ts';
import { describeSnapshot, type SharedSnapshot } from './share.ts';

/** Attaches each snapshot that it is sent, and answers with what a serving thread makes of it. */
const READER = `
  import { parentPort } from 'node:worker_threads';
  import { attachSnapshot } from '${import.meta.resolve('./share.ts')}';
  import { JSON_PAGE } from '${import.meta.resolve('../../render/json.ts')}';
  import { renderPage } from '${import.meta.resolve('../../render/page.ts')}';
  parentPort.on('message', ({ descriptor, column, id }) => {
    const snapshot = attachSnapshot(descriptor);
    const pages = [snapshot.tables['ta-cur'], snapshot.tables.assets].map(table =>
      renderPage({ table, rows: table.order(column), columns: table.columns.map((_, i) => i) }, JSON_PAGE).toString());
    parentPort.postMessage({
      fingerprint: snapshot.fingerprint,
      pages,
      found: snapshot.assetIndex.byId(id),
      sharing: snapshot.assetIndex.bySymbol(snapshot.assetIndex.byId(id).symbol),
      searched: snapshot.tables.assets.search.find(id),
    });
  });
`;

function page(table: Table, column: number): string {
  const rows = table.order(column) ?? rowNumbers(table.rows);
  const columns = table.columns.map((_, i) => i);
  return renderPage({ table, rows, columns }, JSON_PAGE).toString();
}

describe('a snapshot in another thread', () => {
  let worker: Worker;
  before(() => {
    worker = new Worker(READER, { eval: true, execArgv: ['--input-type=module', '--no-warnings'] });
  });
  after(() => worker.terminate());

  async function readThere(snapshot: SharedSnapshot, column: number, id: string) {
    worker.postMessage({ descriptor: describeSnapshot(snapshot), column, id });
    const [answer] = await once(worker, 'message');
    return answer;
  }

  const market = randomMarket(300, uniform(8));

  it('is the same, byte for byte', async () => {
    const snapshot = buildSnapshot({ version: 5, ...market });
    const { id, symbol } = plainTable(snapshot.tables.assets)[17]!;
    assert.deepEqual(await readThere(snapshot, 3, String(id)), {
      fingerprint: snapshot.fingerprint,
      pages: [page(snapshot.tables['ta-cur'], 3), page(snapshot.tables.assets, 3)],
      found: snapshot.assetIndex.byId(String(id)),
      sharing: snapshot.assetIndex.bySymbol(String(symbol)),
      searched: snapshot.tables.assets.search?.find(String(id)),
    });
  });
});

it('a table has no order of a column that it does not have', () => {
  const table = buildSnapshot({ version: 1, assets: [], rows: [], now: 0 }).tables['ta-cur'];
  assert.ok(table.order(0));
  assert.throws(() => table.order(table.columns.length), { name: 'RangeError', message: /has no column/ });
});
