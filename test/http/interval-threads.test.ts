// Listings of other intervals with the real program: built off the serving threads after each publication, and shared by them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { asListed, duckRows } from '../support/duckdb.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';
import type { Envelope } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
const store = `sqlite:${join(folder, 'store.db')}`;
/** Much longer than it takes: the machine may be busy with other tests. */
const TIMEOUT_MS = 20_000;
const START = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;

/** AAA has a close in every hour, BBB only in the first ones. */
async function ingest(hours: number): Promise<void> {
  const lines = Array.from({ length: hours }, (_, i) => {
    const time = new Date(START + i * HOUR).toISOString();
    return [`AAA,${time},${i + 1}`, ...(i < 40 ? [`BBB,${time},5`] : [])];
  }).flat();
  const file = join(folder, 'closes.csv');
  writeFileSync(file, ['symbol,time,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--interval', '1h', '--store', store);
}

let server: ServerProcess;
before(async () => {
  await ingest(48);
  const settings = ['--listings', '1h,4h', '--active-periods', '1h=8,4h=1', '--workers', '2'];
  server = await ServerProcess.start('--store', store, '--open', ...settings);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

type Shown = [symbol: unknown, time: unknown, price: unknown, history: unknown];

/** Until each thread shows these rows: they do not take over a publication at the same moment. */
async function become(query: string, wanted: readonly Shown[]): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (let agreed = 0; agreed < 20; ) {
    const answer = await ask(server.url, `/v1/crypto/ta-cur?${query}&sort=symbol&order=asc&incl_cols=history`);
    assert.ok([200, 503].includes(answer.status), answer.text);
    const rows = answer.status === 503 ? [] : answer.json<Envelope>().result;
    const found = rows.map(row => [
      row['symbol'],
      String(row['datetimeUTC']).slice(0, 16),
      row['price'],
      row['history'],
    ]);
    if (isDeepStrictEqual(found, wanted)) agreed++;
    else {
      if (performance.now() > giveUp) assert.deepEqual(found, wanted);
      agreed = 0;
      await wait(50);
    }
  }
}

describe('listings of other intervals', () => {
  it('are those of the newest publication in every thread, with the assets that the settings call active', async () => {
    await become('interval=1h', [
      ['AAA', '2026-01-06T23:00', 48, 48],
      ['BBB', '2026-01-06T15:00', 5, 40],
    ]);
    await become('interval=4h', [['AAA', '2026-01-06T20:00', 48, 12]]);
    await become('interval=1h&as_of=2026-01-05T09:30Z', [
      ['AAA', '2026-01-05T09:00', 10, 10],
      ['BBB', '2026-01-05T09:00', 5, 10],
    ]);
    await ingest(50);
    await become('interval=1h', [['AAA', '2026-01-07T01:00', 50, 50]]);
    await become('interval=4h', [['AAA', '2026-01-07T00:00', 50, 13]]);
    // A day has more hours than these.
    await become('interval=12h', [
      ['AAA', '2026-01-07T00:00', 50, 5],
      ['BBB', '2026-01-06T12:00', 5, 4],
    ]);
  });

  it('of an interval that the store lacks are an error that names those that it has', async () => {
    const answer = await ask(server.url, '/v1/crypto/ta-cur?interval=5m');
    const { code, candidates } = answer.json<{ code: string; candidates: string[] }>();
    assert.deepEqual([answer.status, code, candidates], [400, 'unknown_interval', ['1h', '4h', '12h', '1d', '1w']]);
  });
});

describe('exports of other intervals', () => {
  const pathOf = (name: string) => join(folder, `${name}.parquet`);

  async function exported(dataset: string, interval: string) {
    const { status, headers, text } = await ask(
      server.url,
      `/v1/crypto/export/${dataset}.parquet?interval=${interval}`,
    );
    assert.equal(status, 307, text);
    assert.match(headers.location!, new RegExp(`/export/${dataset}/\\d+-[\\w-]{10}\\.${interval}\\.parquet$`));
    const file = await ask(server.url, headers.location!);
    assert.equal(file.status, 200);
    writeFileSync(pathOf(`${dataset}-${interval}`), file.body);
    const rows = await duckRows(`SELECT * FROM '${pathOf(`${dataset}-${interval}`)}'`);
    assert.equal(file.headers['x-row-count'], String(rows.length));
    return rows.map(row => asListed(row, true));
  }

  const listed = async (path: string) => (await ask(server.url, `/v1/crypto/${path}`)).json<Envelope>().result;

  it('have the rows of the listing', async () => {
    for (const interval of ['1h', '4h', '12h']) {
      const rows = await exported('ta-cur', interval);
      const shown = await listed(`ta-cur?interval=${interval}&sort=symbol&order=asc`);
      const names = Object.keys(shown[0]!);
      assert.deepEqual(
        rows.map(row => Object.fromEntries(names.map(name => [name, row[name]]))),
        shown,
      );
    }
  });

  it('have the periods of every asset, those of coarser ones and of days too', async () => {
    for (const [dataset, interval] of [
      ['bars', '1h'],
      ['bars', '4h'],
      ['bars', '1mo'],
      ['ta-hist', '1h'],
      ['ta-hist', '1w'],
    ] as const) {
      const rows = await exported(dataset, interval);
      for (const [symbol, own] of Map.groupBy(rows, row => row['symbol'])) {
        const shown = await listed(`${dataset}?symbol=${symbol}&interval=${interval}&order=asc&limit=1000`);
        const names = Object.keys(shown[0]!);
        assert.deepEqual(
          own.map(row => Object.fromEntries(names.map(name => [name, row[name]]))),
          shown,
        );
      }
    }
  });

  it('are refused where the dataset or the store lacks the interval', async () => {
    for (const [path, code] of [
      ['assets.parquet?interval=1h', 'unknown_parameter'],
      ['ta-hist.parquet?interval=1mo', 'invalid_value'],
      ['ta-cur.parquet?interval=2h', 'invalid_value'],
      ['bars.parquet?interval=1m', 'unknown_interval'],
      ['bars.parquet?intervall=1h', 'unknown_parameter'],
    ] as const) {
      const answer = await ask(server.url, `/v1/crypto/export/${path}`);
      assert.deepEqual([answer.status, answer.json<{ code: string }>().code], [400, code], path);
    }
    const [, name] = /(\d+-[\w-]{10})/.exec(
      (await ask(server.url, '/v1/crypto/export/ta-cur.parquet')).headers.location!,
    )!;
    for (const ending of ['.30m', '.2h', '.', '.1d.1h']) {
      const answer = await ask(server.url, `/v1/crypto/export/ta-cur/${name}${ending}.parquet`);
      assert.deepEqual([answer.status, answer.json<{ code: string }>().code], [410, 'export_gone'], ending);
    }
  });
});
