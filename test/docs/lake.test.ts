// The page on Parquet, run by the readers that it names, against the real demo server and a folder that the real command wrote.
//
// Polars, pandas, pyarrow and Spark are optional, and so is the extension httpfs of DuckDB: without them their tests are skipped.
// `pip install polars pandas pyarrow pyspark` installs them; TIDEMARK_PYTHON names another Python than `python3`, and TIDEMARK_HTTPFS
// the file of the extension on a machine that cannot download it (PyPI has it as duckdb-extension-httpfs).

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Tidemark } from '../../client/src/index.ts';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import type { Row } from '../http/contract.ts';
import { DEMO_URL } from '../support/demo-server.ts';
import { copyDemoStore } from '../support/demo-store.ts';
import { asListed, duckRows } from '../support/duckdb.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';

/** As a file, or by the name under which DuckDB has installed it. */
const LOAD = `LOAD '${process.env['TIDEMARK_HTTPFS'] ?? 'httpfs'}'`;
const NO_HTTPFS: string | false = await duckRows('SELECT 1', LOAD).then(
  () => false,
  (error: Error) => `DuckDB has no httpfs: ${error.message.split('\n')[0]}`,
);

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/lake.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, code = '']) => ({ language, code }));

/** The blocks of a language that contain a text. */
function blocksWith(language: string, text: string): string[] {
  const found = blocks.filter(block => block.language === language && block.code.includes(text));
  assert.ok(found.length > 0, `no block with ${text}`);
  return found.map(({ code }) => code.replaceAll(DEMO_URL, server.url));
}

const folder = mkdtempSync(join(tmpdir(), 'tidemark-readers-'));
let server: ServerProcess;
let listed: readonly Row[];
let days: readonly Row[];

before(async () => {
  const store = `sqlite:${join(folder, 'demo.db')}`;
  await copyDemoStore(join(folder, 'demo.db'));
  server = await ServerProcess.start('--workers', '1', '--demo', '--store', store);
  await tidemark('export', '--dataset', 'ta-hist', '--out', join(folder, 'lake/ta-hist'), '--store', store);
  const client = new Tidemark({ url: server.url, apiKey: DEMO_KEYS.pro });
  listed = await client.rows<Row>('ta-cur', { sort: 'symbol', order: 'asc', limit: 1000 }).toArray();
  // The asset with the longest history.
  const [{ id } = assert.fail()] = (await client.assets({ sort: 'first_data_at', order: 'asc', limit: 1 }).page())
    .result;
  days = await client.rows<Row>('ta-hist', { id, order: 'asc', limit: 1000 }).toArray();
  const url = `${server.url}/v1/crypto/export/ta-cur.parquet?api_key=${DEMO_KEYS.pro}`;
  writeFileSync(join(folder, 'expected.json'), JSON.stringify({ url, id, listed, days }));
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const python = process.env['TIDEMARK_PYTHON'] ?? 'python3';

/** Compares rows as dictionaries with those of the listing: the same values, bit for bit, and null in the same places. */
const SAME = `
import json, math, datetime
expected = json.load(open('expected.json'))
url = expected['url']
def same(found, wanted):
    assert len(found) == len(wanted), (len(found), len(wanted))
    for row, want in zip(found, wanted):
        for name, value in want.items():
            own = row[name]
            if isinstance(own, datetime.datetime):
                if own.tzinfo is None: own = own.replace(tzinfo=datetime.timezone.utc)
                value = datetime.datetime.fromisoformat(value)
            if isinstance(own, float) and math.isnan(own): own = None
            assert own == value, (name, own, value)
`;

function pythonTest(library: string, script: () => string): void {
  // pandas has no reader of Parquet of its own, fsspec no HTTP.
  const others: Readonly<Record<string, string>> = { pandas: ', pyarrow', fsspec: ', aiohttp, pyarrow' };
  const { status, error } = spawnSync(python, ['-c', `import ${library}${others[library] ?? ''}`]);
  const skip = status === 0 ? false : `Python does not have ${library} (${error?.message ?? `pip install ${library}`})`;
  it(library, { skip }, async () => {
    const { stdout } = await promisify(execFile)(python, ['-c', `${SAME}\n${script()}\nprint('as listed')`], {
      cwd: folder,
      env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1' },
    });
    assert.equal(stdout.trimEnd().split('\n').at(-1), 'as listed');
  });
}

describe('a reader of the Parquet file over HTTP, with the API key in the URL, finds every value of the listing:', () => {
  pythonTest(
    'pandas',
    () => `${blocksWith('python', 'read_parquet(address)')[0]}
same(rows.to_dict('records'), expected['listed'])`,
  );

  pythonTest(
    'polars',
    () => `${blocksWith('python', 'scan_parquet(url)')[0]}
same(pl.read_parquet(url).to_dicts(), expected['listed'])
names = ('symbol', 'price', 'vol30')
calm_rows = [row for row in expected['listed'] if row['vol30'] is not None and row['vol30'] < 40]
assert len(calm_rows) > 0
same(calm.to_dicts(), [{name: row[name] for name in names} for row in calm_rows])`,
  );

  pythonTest(
    'pyarrow',
    () => `
import io, urllib.request
import pyarrow.parquet as pq, pyarrow.compute as pc
file = pq.ParquetFile(io.BytesIO(urllib.request.urlopen(url).read()))
same(file.read().to_pylist(), expected['listed'])
for number in range(file.num_row_groups):
    group = file.read_row_group(number)
    for i, name in enumerate(group.column_names):
        statistics = file.metadata.row_group(number).column(i).statistics
        assert statistics.null_count == group[name].null_count, name
        if statistics.null_count == len(group): continue
        assert statistics.has_min_max, name
        bounds = pc.min_max(group[name]).as_py()
        assert (statistics.min, statistics.max) == (bounds['min'], bounds['max']), name`,
  );

  pythonTest(
    'fsspec',
    () => `${blocksWith('python', 'scan_parquet(url)')[0]!.replace(/^(import polars|calm =).*$/gm, '')}
import aiohttp
${blocksWith('python', 'fsspec.open(url)')[0]}
names = ('symbol', 'price', 'vol30')
same(table.to_pylist(), [{name: row[name] for name in names} for row in expected['listed']])`,
  );

  it('DuckDB', { skip: NO_HTTPFS }, async () => {
    const [setting = '', sql = ''] = blocksWith('sql', 'httpfs')[0]!.split(';\n');
    const calmest = listed.toSorted((a, b) => Number(b['vol30'] ?? -1) - Number(a['vol30'] ?? -1)).slice(0, 10);
    const found = await duckRows(sql, LOAD, setting);
    assert.deepEqual(
      found,
      calmest.map(({ symbol, price }) => ({ symbol, price })),
    );
    const [from = ''] = /read_parquet\(.*?\)/.exec(sql) ?? [];
    const names = Object.keys(listed[0]!).map(name => `"${name}"`);
    const rows = await duckRows(`SELECT ${names.join()} FROM ${from}`, LOAD, setting);
    assert.deepEqual(
      rows.map(row => asListed(row, true)),
      listed,
    );
  });
});

describe('a reader of the folder finds every day:', () => {
  const byYear = () => Map.groupBy(days, row => String(row['datetimeUTC']).slice(0, 4));

  it('DuckDB', async () => {
    const [sql = ''] = blocksWith('sql', 'hive_partitioning');
    const found = await duckRows(sql.replace('lake/', `${folder}/lake/`));
    assert.deepEqual(
      found.map(({ year }) => String(year)),
      [...byYear().keys()],
    );
  });

  pythonTest(
    'polars',
    () => `${blocksWith('python', 'hive_partitioning')[0]}
frame = pl.scan_parquet('lake/ta-hist/**/*.parquet', hive_partitioning=True).filter(pl.col('id') == expected['id'])
same(frame.sort('datetimeUTC').collect().to_dicts(), expected['days'])`,
  );

  pythonTest(
    'pyarrow',
    () => `
import pyarrow.dataset as ds
table = ds.dataset('lake/ta-hist', format='parquet', partitioning='hive').to_table(filter=ds.field('id') == expected['id'])
same(table.sort_by('datetimeUTC').to_pylist(), expected['days'])`,
  );

  pythonTest(
    'pyspark',
    () => `${blocksWith('python', 'pyspark')[0]}
spark.conf.set('spark.sql.session.timeZone', 'UTC')
frame = spark.read.parquet('lake/ta-hist').where(f"id = '{expected['id']}'").orderBy('datetimeUTC')
rows = [row.asDict() for row in frame.collect()]
for row in rows: row['datetimeUTC'] = row['datetimeUTC'].astimezone(datetime.timezone.utc)
same(rows, expected['days'])`,
  );
});
