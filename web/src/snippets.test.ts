import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type SnippetKey, snippets } from './snippets.ts';

const PARAMS = { limit: 2, page: 1, where: "symbol != 'A&B'", calc: ['a:1', 'b:2'], none: undefined };
const ROWS = ['AAA', 'BBB', 'CCC'];

/** What the programs asked for, and with which headers. */
let asked: { query: URLSearchParams; headers: IncomingHttpHeaders }[] = [];
/** One row per page, with links as the service has them. */
const server = createServer((request, response) => {
  const url = new URL(request.url!, origin());
  asked.push({ query: url.searchParams, headers: request.headers });
  const page = Number(url.searchParams.get('page') ?? 1);
  url.searchParams.set('page', String(page + 1));
  const next = page < ROWS.length ? url.href : null;
  if (next !== null) response.setHeader('link', `<${next}>; rel="next", <${origin()}/>; rel="prev"`);
  const row = { symbol: ROWS[page - 1] };
  if (url.searchParams.get('format') === 'ndjson') response.end(`${JSON.stringify(row)}\n`);
  else response.setHeader('content-type', 'application/json').end(JSON.stringify({ result: [row], next, prev: null }));
});
before(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function textOf(name: string, key: SnippetKey): string {
  const request = { origin: origin(), path: '/v1/crypto/ta-cur', params: PARAMS, rows: ROWS.length, pageSize: 1 };
  return snippets(request, key).find(each => each.name === name)!.text;
}

/** What the program wrote on its output, and into rows.ndjson. */
async function run(program: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-snippet-'));
  const [command, ...args] = program;
  const child = spawn(command!, args, { cwd: folder, env: { ...process.env, ...env, no_proxy: '*' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  }
  await new Promise(resolve => child.on('close', resolve));
  if (command === 'sh') output += readFileSync(join(folder, 'rows.ndjson'), 'utf8');
  rmSync(folder, { recursive: true });
  return output;
}

describe('a snippet', () => {
  it('as an address is one page, without a key', () => {
    const url = new URL(textOf('URL', { literal: 'tdm_public' }));
    assert.deepEqual(
      [...url.searchParams],
      [
        ['limit', '2'],
        ['page', '1'],
        ['where', "symbol != 'A&B'"],
        ['calc', 'a:1'],
        ['calc', 'b:2'],
      ],
    );
  });

  for (const [name, literal, own] of [
    ['curl', "-H 'X-API-Key: tdm_public'", /\$TIDEMARK_KEY/],
    ['Python', '"X-API-Key": "tdm_public"', /TIDEMARK_KEY/],
    ['TypeScript', "apiKey: 'tdm_public'", /TIDEMARK_KEY/],
    ['DuckDB', "'X-API-Key': 'tdm_public'", /YOUR_API_KEY/],
  ] as const) {
    it(`for ${name} writes out a public key, leaves out one's own, and sends none where none is needed`, () => {
      assert.ok(textOf(name, { literal: 'tdm_public' }).includes(literal));
      assert.match(textOf(name, 'environment'), own);
      assert.doesNotMatch(textOf(name, null), /api.?key/i);
    });
  }

  const client = join(import.meta.dirname, '../../client/src/index.ts');
  for (const [name, program] of [
    ['curl', (text: string) => ['sh', '-c', text]],
    ['Python', (text: string) => ['python3', '-c', text]],
    [
      'TypeScript',
      (text: string) => [
        process.execPath,
        '--input-type=module-typescript',
        '-e',
        text.replace("'@tidemark/client'", JSON.stringify(client)),
      ],
    ],
  ] as const) {
    it(`for ${name} runs as it is copied, and fetches the rows of all pages`, async t => {
      const command = { curl: 'curl', Python: 'python3', TypeScript: process.execPath }[name];
      if (spawnSync(command, ['--version']).error) return t.skip(`${name} is not installed`);
      asked = [];
      const output = await run(program(textOf(name, 'environment')), { TIDEMARK_KEY: 'tdm_own' });
      for (const symbol of ROWS) assert.match(output, new RegExp(symbol));
      assert.equal(asked.length, ROWS.length);
      for (const { query, headers } of asked) {
        assert.ok([headers['x-api-key'], headers.authorization].some(each => each?.includes('tdm_own')));
        assert.equal(query.get('where'), PARAMS.where);
        assert.deepEqual(query.getAll('calc'), PARAMS.calc);
        // A file format refuses more rows than the tier gives; JSON lowers the number.
        assert.equal(query.get('limit'), name === 'curl' ? '1' : '1000');
      }
    });
  }

  it('for DuckDB names one address per page', async () => {
    const list = /list_transform\(.*\)(?=,\n)/.exec(textOf('DuckDB', null))?.[0];
    const connection = await (await DuckDBInstance.create()).connect();
    const reader = await connection.runAndReadAll(`SELECT unnest(${list})`);
    const texts = reader.getRows().map(([url]) => String(url));
    const symbols = await Promise.all(texts.map(async url => (await fetch(url)).json()));
    assert.deepEqual(
      symbols,
      ROWS.map(symbol => ({ symbol })),
    );
    for (const url of texts) assert.equal(new URL(url).searchParams.get('where'), PARAMS.where);
  });
});
