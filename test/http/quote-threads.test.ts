// Listings in other quotes with the real program: fiat currencies loaded from files, built off the serving threads, exported.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { asListed, duckRows } from '../support/duckdb.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';
import type { Envelope, Row } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-quotes-'));
const store = `sqlite:${join(folder, 'store.db')}`;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5);
const TIMEOUT_MS = 20_000;

async function ingest(days: number): Promise<void> {
  const write = (name: string, priceOf: (i: number) => number) => {
    const lines = Array.from({ length: days }, (_, i) => {
      return `${new Date(START + i * DAY).toISOString().slice(0, 10)},${priceOf(i)}`;
    });
    writeFileSync(join(folder, name), ['date,close', ...lines].join('\n'));
    return join(folder, name);
  };
  // A token that has the ticker of the currency.
  for (const [symbol, price] of [
    ['AAA', 10],
    ['EUR', 3],
  ] as const) {
    await tidemark(
      'ingest',
      'csv',
      write('coin.csv', i => price + i),
      '--symbol',
      symbol,
      '--store',
      store,
    );
  }
  const file = write('fiat.csv', i => 2 + (i % 2));
  await tidemark('ingest', 'csv', file, '--type', 'fiat', '--symbol', 'EUR', '--store', store);
}

let server: ServerProcess;
before(async () => {
  await ingest(20);
  server = await ServerProcess.start('--store', store, '--open', '--listings', '1d,1d/EUR', '--workers', '2');
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function rowsOf(query: string): Promise<readonly Row[]> {
  const answer = await ask(server.url, `/v1/crypto/ta-cur?${query}&sort=symbol&order=asc`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Envelope>().result;
}

const shown = (rows: readonly Row[]) => rows.map(row => [row['symbol'], row['price']]);

describe('a listing in a fiat currency', () => {
  it('is that of the newest publication in every thread, and the currency is not in it', async () => {
    assert.deepEqual(shown(await rowsOf('quote=EUR')), [
      ['AAA', 29 / 3],
      ['EUR', 22 / 3],
    ]);
    assert.deepEqual(shown(await rowsOf('quote=eur-eur')), [
      ['AAA', 29 / 22],
      ['EUR', 1],
    ]);
    assert.deepEqual(shown(await rowsOf('quote=EUR&as_of=2026-01-05')), [
      ['AAA', 5],
      ['EUR', 1.5],
    ]);
    await ingest(21);
    const wanted = [
      ['AAA', 15],
      ['EUR', 11.5],
    ];
    const giveUp = performance.now() + TIMEOUT_MS;
    for (let agreed = 0; agreed < 20; ) {
      const found = shown(await rowsOf('quote=EUR'));
      if (JSON.stringify(found) === JSON.stringify(wanted)) agreed++;
      else {
        if (performance.now() > giveUp) assert.deepEqual(found, wanted);
        await wait(50);
      }
    }
  });

  it('is exported with its unit, and the currency is not among the assets', async () => {
    const out = join(folder, 'history');
    const history = ['--dataset', 'ta-hist', '--partition', 'none', '--incl-cols', 'range'];
    await tidemark('export', ...history, '--quote', 'EUR', '--out', out, '--store', store);
    const file = join(out, readdirSync(out).find(name => name.endsWith('.parquet'))!);
    const rows = await duckRows(`SELECT id, price, sma5, ath FROM '${file}' ORDER BY id, datetimeUTC`);
    const ids = [...new Set(rows.map(row => row['id']))];
    assert.deepEqual(ids, ['aaa-aaa', 'eur-eur']);
    const { result } = (
      await ask(server.url, '/v1/crypto/ta-hist?symbol=AAA&quote=EUR&order=asc&incl_cols=range')
    ).json<Envelope>();
    assert.deepEqual(
      rows.filter(row => row['id'] === 'aaa-aaa').map(row => [row['price'], row['sma5'], row['ath']]),
      result.map(row => [row['price'], row['sma5'], row['ath']]),
    );
    const metadata = await duckRows(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${file}')`,
    );
    const texts = new Map(metadata.map(({ key, value }) => [String(key), String(value)]));
    assert.equal(texts.get('tidemark.quote'), 'EUR');
    const columns = JSON.parse(texts.get('tidemark.columns')!);
    assert.deepEqual([columns.price.unit, columns.var5.unit, columns.vol5.unit], ['EUR', 'EUR²', 'percent per year']);
    const listing = join(folder, 'listing');
    await tidemark('export', '--dataset', 'ta-cur', '--quote', 'EUR', '--out', listing, '--store', store);
    const listed = join(listing, readdirSync(listing).find(name => name.endsWith('.parquet'))!);
    assert.deepEqual(
      (await duckRows(`SELECT symbol, price FROM '${listed}' ORDER BY symbol`)).map(row => [
        row['symbol'],
        row['price'],
      ]),
      shown(await rowsOf('quote=EUR')),
    );
  });

  it('is one Parquet file over HTTP, with its unit', async () => {
    for (const [dataset, listed] of [
      ['ta-cur', 'ta-cur?quote=EUR&sort=symbol&order=asc'],
      ['bars', 'bars?symbol=AAA&quote=EUR&order=asc&limit=100'],
      ['ta-hist', 'ta-hist?symbol=AAA&quote=EUR&order=asc&limit=100'],
    ] as const) {
      const { status, headers, text } = await ask(server.url, `/v1/crypto/export/${dataset}.parquet?quote=eur`);
      assert.equal(status, 307, text);
      assert.match(headers.location!, /\/\d+-[\w-]{10}\.q\d+\.parquet$/);
      const path = join(folder, `${dataset}-in-euros.parquet`);
      writeFileSync(path, (await ask(server.url, headers.location!)).body);
      const own = dataset === 'ta-cur' ? 'ORDER BY symbol' : "WHERE id = 'aaa-aaa' ORDER BY datetimeUTC";
      const rows = (await duckRows(`SELECT * FROM '${path}' ${own}`)).map(row => asListed(row, true));
      const { result } = (await ask(server.url, `/v1/crypto/${listed}`)).json<Envelope>();
      const names = Object.keys(result[0]!);
      assert.deepEqual(
        rows.map(row => Object.fromEntries(names.map(name => [name, row[name]]))),
        result,
      );
      const [{ quote } = {}] = await duckRows(
        `SELECT decode(value) AS quote FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'tidemark.quote'`,
      );
      assert.equal(quote, 'EUR');
    }
    for (const [path, code] of [
      ['ta-cur.parquet?quote=nothing', 'unknown_quote'],
      ['assets.parquet?quote=EUR', 'unknown_parameter'],
    ]) {
      const answer = await ask(server.url, `/v1/crypto/export/${path}`);
      assert.deepEqual([answer.status, answer.json<{ code: string }>().code], [400, code], path);
    }
  });

  it('is screened by tools, too', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'screen_assets', arguments: { quote: 'eur', columns: ['price'] } },
    };
    const answer = await ask(server.url, '/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    assert.match(answer.text, /Prices in EUR\./);
    assert.match(answer.text, /quote=eur/i);
  });
});
