// Clients that we did not write.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { TestService } from '../support/service.ts';
import {
  ASSET_FIELDS,
  ASSETS,
  type Envelope,
  LISTING,
  PROFILE_FIELDS,
  ROW_FIELDS,
  startContractService,
} from './contract.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

describe('@coinpaprika/api-nodejs-client', () => {
  interface PaprikaClient {
    url: string;
    getCoin(id: string): Promise<Record<string, unknown>>;
  }
  // The package has no types.
  const Client = createRequire(import.meta.url)('@coinpaprika/api-nodejs-client') as new () => PaprikaClient;

  it('reads a profile when its base URL is ours', async () => {
    const client = new Client();
    assert.match(client.url, /^https:.*\/v1$/);
    client.url = `${service.url}/v1`;
    const profile = await client.getCoin('btc-bitcoin');
    assert.deepEqual(Object.keys(profile), PROFILE_FIELDS);
    assert.deepEqual(profile, await service.get(`${ASSETS}/btc-bitcoin`));
  });

  it('reads the problem of an id that there is not', async () => {
    const client = new Client();
    client.url = `${service.url}/v1`;
    const { error, code } = await client.getCoin('nobody-at-all');
    assert.deepEqual({ error, code }, { error: true, code: 'unknown_asset' });
  });
});

describe('fetch', () => {
  it('encodes a comparison in its own way and gets the rows', async () => {
    const raw = await fetch(`${service.url}${LISTING}?[sma50]>:[sma200]&limit=1000`);
    const pairs = new URLSearchParams({ comparison: '[sma50]>:[sma200]', limit: '1000' });
    const encoded = await fetch(`${service.url}${LISTING}?${pairs}`);
    const [one, other] = [(await raw.json()) as Envelope, (await encoded.json()) as Envelope]; // json() is untyped
    assert.ok(one.result.length > 0);
    assert.deepEqual(one.result, other.result);
  });
});

describe('DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-duckdb-'));
  after(() => rmSync(folder, { recursive: true }));

  /** The CSV of a listing as a table that DuckDB has read without being told anything about it. */
  const read = async (path: string) => {
    const file = join(folder, 'listing.csv');
    writeFileSync(file, (await service.ask(path)).body);
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await connection.run(`CREATE TABLE listing AS SELECT * FROM read_csv('${file}')`);
    const types = await connection.runAndReadAll('DESCRIBE listing');
    const typeOf = new Map(types.getRows().map(([name, type]) => [String(name), String(type)]));
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
    return { typeOf, rows };
  };

  it('reads the CSV listing with the right types', async () => {
    const { typeOf, rows } = await read(`${LISTING}?format=csv&limit=1000`);
    assert.deepEqual([...typeOf.keys()], ROW_FIELDS);
    for (const [name, type] of typeOf) {
      const expected = name === 'symbol' ? 'VARCHAR' : name === 'datetimeUTC' ? /^TIMESTAMP/ : 'DOUBLE';
      if (typeof expected === 'string') assert.equal(type, expected, name);
      else assert.match(type, expected, name);
    }
    const { result } = await service.get<Envelope>(`${LISTING}?limit=1000&sort=symbol&order=asc`);
    const numbers = ROW_FIELDS.slice(2);
    const found = await rows(`SELECT symbol, ${numbers.join()}, strftime(datetimeUTC, '%x') AS day FROM listing`);
    const bySymbol = new Map(found.map(row => [String(row['symbol']).replace(/^'/, ''), row]));
    assert.equal(bySymbol.size, result.length);
    for (const row of result) {
      const same = bySymbol.get(String(row['symbol']));
      for (const name of numbers) assert.equal(same?.[name], row[name], `${row['symbol']} ${name}`);
      assert.equal(same?.['day'], String(row['datetimeUTC']).slice(0, 10));
    }
  });

  it('reads the CSV asset list with the right types', async () => {
    const { typeOf } = await read(`${ASSETS}?format=csv&limit=1000`);
    const types = [
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'BIGINT',
      'BOOLEAN',
      'BOOLEAN',
      'VARCHAR',
      'TIMESTAMP',
      'TIMESTAMP',
    ];
    assert.deepEqual([...typeOf.keys()], ASSET_FIELDS);
    assert.deepEqual(
      [...typeOf.values()].map(type => type.replace(' WITH TIME ZONE', '')),
      types,
    );
  });
});
