import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { barColumns } from '../../src/domain/bar.ts';
import { OPTIONAL_COLUMNS } from '../../src/domain/catalogue.ts';
import { type ExportJob, exportHistory, FolderError } from '../../src/export/lake/export-history.ts';
import { exportListing } from '../../src/export/lake/export-listing.ts';
import type { Manifest } from '../../src/export/lake/manifest.ts';
import { writeWholeHistory } from '../../src/export/lake/part-writer.ts';
import type { HistoryRequest } from '../../src/export/lake/plan.ts';
import { load } from '../../src/ingest/pipeline.ts';
import type { Source } from '../../src/ingest/source.ts';
import { openStore } from '../../src/store/open.ts';
import { asListed, duckRows } from '../support/duckdb.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { ASSETS, type Envelope, FACTS, type Row, startContractService } from './contract.ts';
import { idOf, MARKET, type MarketAsset, marketSource, TODAY, wave } from './market.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-lake-'));
after(() => rmSync(folder, { recursive: true }));

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

let count = 0;
const newFolder = () => join(folder, `out-${count++}`);
const REQUEST: HistoryRequest = {
  dataset: 'ta-hist',
  format: 'parquet',
  partition: 'year',
  from: null,
  to: null,
  inclCols: '',
  sinceVersion: null,
};

function run(request: Partial<HistoryRequest>, out: string, job: Partial<ExportJob> = {}): Promise<Manifest> {
  return exportHistory({
    store: service.store,
    storeUrl: service.storeUrl,
    folder: out,
    request: { ...REQUEST, ...request },
    createdBy: 'tidemark version test',
    signal: new AbortController().signal,
    onProgress: () => {},
    ...job,
  });
}

const files = (out: string) => `read_parquet('${out}/**/*.parquet', hive_partitioning = true)`;

/** A test that an export is what its manifest says, made without the code that wrote it. */
function assertManifest(out: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(out, '_tidemark/manifest.json'), 'utf8'));
  const found = globSync('**/*.{parquet,csv}', { cwd: out }).sort();
  assert.deepEqual(found, manifest.files.map(({ path }) => path).sort());
  for (const { path, bytes, sha256 } of manifest.files) {
    const content = readFileSync(join(out, path));
    assert.equal(content.length, bytes);
    assert.equal(createHash('sha256').update(content).digest('hex'), sha256);
  }
  assert.equal(manifest.complete, true);
  // Spark and pyarrow read every file, unless its path has a name that begins with an underscore.
  const others =
    globSync('**', { cwd: out, withFileTypes: true }).filter(entry => entry.isFile()).length - found.length;
  assert.equal(others, 1, 'the manifest alone');
  return manifest;
}

describe('SPEC 18: the history of all assets in a folder', () => {
  const optional = OPTIONAL_COLUMNS.map(({ name }) => name).join();
  for (const [dataset, inclCols] of [
    ['ta-hist', ''],
    ['ta-hist', 'rsi14,ath_at'],
    ['ta-hist', optional],
    ['bars', ''],
  ] as const) {
    const columns = inclCols === '' ? '' : `&incl_cols=${inclCols === optional ? 'all' : inclCols}`;
    it(`${dataset}${columns} has every row that HTTP serves, bit for bit, nulls included`, async () => {
      const out = newFolder();
      await run({ dataset, inclCols }, out);
      const manifest = assertManifest(out);
      const all = await duckRows(`SELECT * FROM ${files(out)} ORDER BY id, "datetimeUTC"`);
      assert.equal(manifest.rows, all.length);
      const byId = Map.groupBy(all, row => row['id']);
      const withPrices = MARKET.filter(({ closes }) => closes.length > 0);
      assert.equal(byId.size, withPrices.length);
      for (const asset of withPrices) {
        const id = await idOfAsset(asset);
        const query = `/v1/crypto/${dataset}?id=${encodeURIComponent(id)}&order=asc&limit=100000${columns}`;
        const { result } = await service.get<Envelope>(query);
        const rows = (byId.get(id) ?? []).map(({ id: _, year, symbol, ...row }) => {
          const listed = asListed(dataset === 'ta-hist' ? { ...row, symbol } : row, true);
          assert.equal(Number(year), new Date(String(listed['datetimeUTC'])).getUTCFullYear());
          assert.equal(symbol, asset.symbol);
          return listed;
        });
        assert.deepEqual(rows, result, id);
      }
    });
  }

  async function idOfAsset(asset: MarketAsset): Promise<string> {
    if (asset.profile !== null) return idOf(asset);
    const { result } = await service.get<Envelope>(`${ASSETS}?q=${encodeURIComponent(asset.symbol)}&limit=100`);
    return String(result.find(row => row['symbol'] === asset.symbol)!['id']);
  }

  it('CSV has the same rows as Parquet', async () => {
    const [csv, parquet] = [newFolder(), newFolder()];
    await run({ dataset: 'bars', format: 'csv', partition: 'none' }, csv);
    await run({ dataset: 'bars', partition: 'none' }, parquet);
    assertManifest(csv);
    const [header] = readFileSync(join(csv, 'part-000000.csv'), 'utf8').split('\r\n');
    assert.equal(header, 'id,symbol,datetimeUTC,open,high,low,close,volume');
    const read = `read_csv('${csv}/*.csv', header = true, all_varchar = true)`;
    const columns = `id, "datetimeUTC"::TIMESTAMPTZ AS moment, close::DOUBLE AS close, open::DOUBLE AS open`;
    const sql = (from: string) => `SELECT ${columns} FROM ${from} ORDER BY id, moment`;
    assert.deepEqual(await duckRows(sql(read)), await duckRows(sql(`'${parquet}/*.parquet'`)));
  });

  it('from and to are included', async () => {
    const out = newFolder();
    await run({ from: dayOf(TODAY - 9), to: dayOf(TODAY - 5) }, out);
    const [found] = await duckRows(`SELECT min("datetimeUTC") AS first, max("datetimeUTC") AS last FROM ${files(out)}`);
    assert.deepEqual(asListed(found!, true), { first: '2026-03-01T00:00:00.000Z', last: '2026-03-05T00:00:00.000Z' });
  });

  const dayOf = (day: number) => day as typeof TODAY; // days beside a day are days

  for (const dataset of ['ta-cur', 'assets'] as const) {
    it(`${dataset} is one file with the rows of the listing`, async () => {
      const out = newFolder();
      const common = { store: service.store, folder: out, dataset, createdBy: 'tidemark version test' };
      await exportListing({ ...common, format: 'parquet' });
      assertManifest(out);
      const rows = await duckRows(`SELECT * FROM '${out}/part-000000.parquet'`);
      const [by, more] = dataset === 'ta-cur' ? ['symbol', `&${FACTS}`] : ['id', ''];
      const path = `/v1/crypto/${dataset}?limit=100000&sort=${by}&order=asc${more}`;
      const { result: listed } = await service.get<Envelope>(path);
      // What is new depends on the day, and the clock of the service stands still.
      const shown = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'is_new'));
      assert.deepEqual(
        rows.map(row => shown(asListed(row, dataset === 'ta-cur') as Row)),
        listed.map(shown),
      );
      await assert.rejects(exportListing({ ...common, format: 'csv' }), FolderError);
    });
  }

  it('a PostgreSQL store gives the same files, and one file has the same rows as the folder', async () => {
    const url = await freshPostgresUrl();
    const store = await openStore(url);
    const [mine, theirs] = [newFolder(), newFolder()];
    const whole = (name: string) => join(folder, `${name}.parquet`);
    const write = (from: typeof store, name: string) =>
      from.readConsistently(view =>
        writeWholeHistory(view, {
          dataset: 'ta-hist',
          interval: '1d',
          quote: null,
          path: whole(name),
          maxBytes: 1e9,
          createdBy: 'test',
        }),
      );
    try {
      await load({ store, source: marketSource(), today: TODAY, signal: new AbortController().signal });
      await run({}, theirs, { store, storeUrl: url });
      await write(store, 'theirs');
    } finally {
      await store.close();
    }
    await run({}, mine);
    await write(service.store, 'mine');
    const inFolder = await duckRows(`SELECT * EXCLUDE (year) FROM ${files(mine)} ORDER BY id, "datetimeUTC"`);
    for (const name of ['mine', 'theirs']) {
      assert.deepEqual(await duckRows(`SELECT * FROM '${whole(name)}'`), inFolder, name);
    }
    const small = {
      dataset: 'ta-hist',
      interval: '1d',
      quote: null,
      path: whole('small'),
      maxBytes: 1000,
      createdBy: 'test',
    } as const;
    assert.equal(await service.store.readConsistently(view => writeWholeHistory(view, small)), 'too large');
    const sql = (out: string) => `SELECT * FROM ${files(out)} ORDER BY id, "datetimeUTC"`;
    assert.deepEqual(await duckRows(sql(theirs)), await duckRows(sql(mine)));
  });
});

describe('an export that is run again', () => {
  it('writes what is missing, and nothing else', async () => {
    const out = newFolder();
    const first = await run({}, out);
    const [some] = first.files;
    rmSync(join(out, some!.path));
    assert.deepEqual(await run({}, out), first);
    assertManifest(out);
  });

  it('refuses a folder with something else', async () => {
    const out = newFolder();
    await run({}, out);
    await assert.rejects(run({ dataset: 'bars' }, out), FolderError);
    await assert.rejects(run({ partition: 'none' }, out), FolderError);
    const mine = mkdtempSync(join(folder, 'mine-'));
    writeFileSync(join(mine, 'precious.txt'), 'mine');
    await assert.rejects(run({}, mine), FolderError);
    assert.equal(readFileSync(join(mine, 'precious.txt'), 'utf8'), 'mine');
    writeFileSync(join(out, '_tidemark/manifest.json'), '{}');
    await assert.rejects(run({}, out), FolderError);
  });

  it('has only the changed assets with --since-version, and refuses the folder of an older version', async () => {
    const changing = await startContractService();
    const of = { store: changing.store, storeUrl: changing.storeUrl };
    try {
      const [before, delta] = [newFolder(), newFolder()];
      const { version } = await run({}, before, of);
      const changed = {
        symbol: 'ETH',
        name: 'Ethereum',
        closes: wave(420, 3_000, 9),
        profile: { rank: 2, type: 'coin' },
      };
      await changing.load(marketSource([changed]));
      await assert.rejects(run({}, before, of), FolderError);
      const manifest = await run({ sinceVersion: version }, delta, of);
      assert.ok(manifest.version > version);
      assert.equal(manifest.whole, false);
      const rows = await duckRows(`SELECT DISTINCT id FROM ${files(delta)}`);
      assert.deepEqual(rows, [{ id: 'eth-ethereum' }]);
      const [{ rows: total } = {}] = await duckRows(`SELECT count(*)::INT AS rows FROM ${files(delta)}`);
      assert.equal(total, 420);
    } finally {
      await changing.close();
    }
  });
});

describe('the command', () => {
  const launcher = join(import.meta.dirname, '../../scripts/launch.js');
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [launcher, 'export', ...args], { encoding: 'utf8' });

  for (const [args, message] of [
    [['--out', 'x'], /export needs --dataset bars\|ta-hist\|ta-cur\|assets/],
    [['--dataset', 'bars'], /export needs a folder/],
    [['--dataset', 'coins', '--out', 'x'], /--dataset is bars or ta-hist or ta-cur or assets, not 'coins'/],
    [['--dataset', 'bars', '--out', 'x', '--from', 'May'], /--from is a day such as/],
    [['--dataset', 'bars', '--out', 'x', '--from', '2026-02-01', '--to', '2026-01-01'], /--from is after --to/],
    [['--dataset', 'assets', '--out', 'x', '--partition', 'year'], /--partition is for bars and ta-hist only/],
    [['--dataset', 'bars', '--out', 'x', '--since-version', 'last'], /--since-version is a version/],
    [['--dataset', 'bars', '--out', 'x', '--incl-cols', 'all'], /--incl-cols is for ta-hist only/],
    [['--dataset', 'ta-hist', '--out', 'x', '--incl-cols', 'rsi15'], /--incl-cols: .*rsi1/],
  ] as const) {
    it(`${args.join(' ')} is wrong usage`, () => {
      const { status, stderr } = command(...args, '--store', service.storeUrl);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    });
  }

  it('killed at any moment leaves whole files only, and is resumed to the same end', async () => {
    const large = await TestService.start({ sources: [longHistories(330, 1000)] });
    const out = newFolder();
    const args = [launcher, 'export', '--dataset', 'ta-hist', '--out', out, '--store', large.storeUrl];
    try {
      let kills = 0;
      for (const after of [0, 1, 2]) {
        const child = spawn(process.execPath, args, { stdio: 'ignore' });
        const ended = once(child, 'exit');
        // Killed when so many files are there and others are being written.
        const isTime = () =>
          existsSync(out) &&
          globSync('**/*.parquet', { cwd: out }).length >= after &&
          globSync('**/*.partial', { cwd: out }).length > 0;
        while (child.exitCode === null && !isTime()) await wait(5);
        child.kill('SIGKILL');
        const [, signal] = await ended;
        if (signal === 'SIGKILL') kills++;
        for (const path of globSync('**/*.parquet', { cwd: out })) {
          const [found] = await duckRows(`SELECT count(vol50)::INT AS rows FROM '${join(out, path)}'`);
          assert.ok(Number(found!['rows']) > 0, path);
        }
      }
      assert.ok(kills > 0, 'no export was killed while it ran');
      const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--json'], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.equal(JSON.parse(stdout).rows, 330_000);
      const { files: listed } = assertManifest(out);
      assert.ok(listed.length > 3);
      const [total] = await duckRows(`SELECT count(*)::INT AS rows, count(DISTINCT id)::INT AS ids FROM ${files(out)}`);
      assert.deepEqual(total, { rows: 330_000, ids: 330 });
    } finally {
      await large.close();
    }
  });
});

/** Assets with closes on so many days up to yesterday. */
function longHistories(assets: number, days: number): Source {
  return {
    name: 'long',
    async *profiles() {},
    async *bars() {
      const last = Math.floor(Date.now() / 86_400_000) - 1;
      for (let i = 0; i < assets; i++) {
        const columns = barColumns(days);
        for (let day = 0; day < days; day++) {
          columns.day[day] = last - days + 1 + day;
          columns.close[day] = i + 1 + Math.sin(day + i);
        }
        const places = { origin: 'long', line: new Uint32Array(days), asset: new Uint32Array(days) };
        yield {
          kind: 'bars',
          batch: { interval: '1d', ...columns, ...places, count: days, assets: [{ id: null, symbol: `L${i}` }] },
        };
      }
    },
  };
}
