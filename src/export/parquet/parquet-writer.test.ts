import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { asListed, duckRows } from '../../../test/support/duckdb.ts';
import { type Plain, plainAssets, plainListing, randomMarket, uniform } from '../../../test/support/market.ts';
import { type Column, isOptional } from '../../domain/columns.ts';
import { buildSnapshot } from '../../snapshot/build/build.ts';
import { sharedDoubles } from '../../snapshot/columns/shared-memory.ts';
import { writeTable } from '../table-file.ts';
import { type ParquetFacts, ParquetWriter } from './parquet-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-parquet-'));
after(() => rmSync(folder, { recursive: true }));

const FACTS = { version: 7, createdBy: 'tidemark version 1' };

async function written(name: string, write: (sink: { write(bytes: Buffer): void }) => Promise<void>): Promise<string> {
  const parts: Buffer[] = [];
  await write({ write: bytes => parts.push(Buffer.from(bytes)) });
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

const market = randomMarket(500, uniform(8));
const { tables } = buildSnapshot({ version: 7, ...market });

describe('a table as Parquet, read by DuckDB', () => {
  for (const [table, all] of [
    [tables['ta-cur'], plainListing(market)],
    [tables.assets, plainAssets(market)],
  ] as const) {
    const { name } = table.dataset;
    const optional = ['rank', 'supply', 'market_cap', 'history'];
    const isWritten = (column: Column) => !isOptional(column) || optional.includes(column.name);
    const names = table.dataset.columns.filter(isWritten).map(column => column.name);
    const plain = all.map(row => Object.fromEntries(names.map(each => [each, row[each]!])));
    const file = written(`${name}.parquet`, sink => writeTable(table, sink, FACTS));

    it(`${name} has every value, bit for bit, nulls included`, async () => {
      const rows = await duckRows(`SELECT * FROM '${await file}'`);
      assert.deepEqual(rows.map(row => asListed(row, name === 'ta-cur')) as Plain[], plain);
    });

    it(`${name} has exact minimum, maximum and number of nulls in its statistics`, async () => {
      const found = await duckRows(
        `SELECT path_in_schema AS name, stats_null_count, stats_min_value, stats_max_value FROM parquet_metadata('${await file}')`,
      );
      assert.equal(found.length, names.length);
      for (const { name: column, stats_null_count, stats_min_value, stats_max_value } of found) {
        const values = plain.map(row => row[String(column)]!).filter(value => value !== null);
        assert.equal(Number(stats_null_count), plain.length - values.length);
        if (values.length === 0 || typeof values[0] !== 'number') continue;
        const numbers = values.map(Number);
        assert.equal(Number(stats_min_value), Math.min(...numbers), String(column));
        assert.equal(Number(stats_max_value), Math.max(...numbers), String(column));
      }
    });
  }

  it('has units and formulas in its metadata', async () => {
    const file = await written('described.parquet', sink => writeTable(tables['ta-cur'], sink, FACTS));
    const found = await duckRows(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${file}') ORDER BY key`,
    );
    const metadata = new Map(found.map(({ key, value }) => [String(key), String(value)]));
    assert.deepEqual([...metadata.keys()], ['tidemark.columns', 'tidemark.dataset', 'tidemark.version']);
    assert.equal(metadata.get('tidemark.version'), '7');
    const { vol30 } = JSON.parse(metadata.get('tidemark.columns')!);
    assert.equal(vol30.unit, 'percent per year');
    assert.match(vol30.formula, /stdev/);
  });
});

describe('row groups', () => {
  const facts: ParquetFacts = {
    columns: [
      { name: 'id', kind: 'text', nullable: false },
      { name: 'value', kind: 'double', nullable: true },
    ],
    maxRows: 1000,
    metadata: {},
    createdBy: 'tidemark version 1',
  };
  const random = uniform(5);
  const parts = Array.from({ length: 300 }, (_, i) => {
    const values = sharedDoubles(Math.floor(random() * 40));
    for (let row = 0; row < values.length; row++) values[row] = random() < 0.2 ? Number.NaN : (random() - 0.5) * 1e6;
    return { id: `asset-${i % 290}-é`, values };
  });
  const file = written('groups.parquet', async sink => {
    const writer = new ParquetWriter(sink, facts);
    for (const { id, values } of parts) {
      await writer.add(
        [
          { kind: 'repeated', text: id },
          { kind: 'number', values },
        ],
        0,
        values.length,
      );
    }
    await writer.finish();
  });

  it('of repeated texts are read back', async () => {
    const expected = parts.flatMap(({ id, values }) =>
      Array.from(values, value => ({ id, value: Number.isNaN(value) ? null : value })),
    );
    assert.deepEqual([...(await duckRows(`SELECT * FROM '${await file}'`))], expected);
  });

  it('are full except the last one, and let a reader skip them', async () => {
    const groups = await duckRows(
      `SELECT row_group_id AS id, row_group_num_rows AS rows, stats_min_value AS min, stats_max_value AS max, compression
       FROM parquet_metadata('${await file}') WHERE path_in_schema = 'id' ORDER BY id`,
    );
    const total = parts.reduce((sum, { values }) => sum + values.length, 0);
    assert.deepEqual(
      groups.map(({ rows }) => Number(rows)),
      [...new Array(Math.floor(total / 1000)).fill(1000), total % 1000],
    );
    for (const { min, max, compression } of groups) {
      assert.ok(String(min) < String(max));
      assert.equal(compression, 'ZSTD');
    }
  });

  it('fail if they cannot be written', async () => {
    let left = 5;
    const sink = { write: () => (left-- > 0 ? undefined : assert.fail('the disk is full')) };
    const writer = new ParquetWriter(sink, facts);
    const values = sharedDoubles(3500);
    const add = () =>
      writer.add(
        [
          { kind: 'repeated', text: 'x' },
          { kind: 'number', values },
        ],
        0,
        values.length,
      );
    await assert.rejects(
      add().then(() => writer.finish()),
      /the disk is full/,
    );
  });

  it('a file without rows has its columns', async () => {
    const empty = await written('empty.parquet', sink => new ParquetWriter(sink, facts).finish());
    assert.deepEqual(await duckRows(`SELECT * FROM '${empty}'`), []);
    const columns = await duckRows(`DESCRIBE SELECT * FROM '${empty}'`);
    assert.deepEqual(
      columns.map(column => column['column_name']),
      ['id', 'value'],
    );
  });

  it('both zeros are between minimum and maximum', async () => {
    for (const zero of [0, -0]) {
      const values = sharedDoubles(1);
      values[0] = zero;
      const zeros = await written(`zero.parquet`, async sink => {
        const writer = new ParquetWriter(sink, facts);
        await writer.add(
          [
            { kind: 'repeated', text: 'x' },
            { kind: 'number', values },
          ],
          0,
          1,
        );
        await writer.finish();
      });
      const [row] = await duckRows(`SELECT value FROM '${zeros}'`);
      assert.ok(Object.is(row!['value'], zero));
      const [found] = await duckRows(
        `SELECT stats_min_value AS min, stats_max_value AS max FROM parquet_metadata('${zeros}') WHERE path_in_schema = 'value'`,
      );
      assert.deepEqual(found, { min: '-0.0', max: '0.0' });
    }
  });
});
