// POST /mcp with the official client library: both generations of the protocol, every tool, and the protection of the route.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { TIERS } from '../../src/domain/tiers.ts';
import { headerLines } from '../../src/http/wire/head.ts';
import type { AskOptions, TestService } from '../support/service.ts';
import { assertRpcProblem, type Envelope, LISTING, startContractService } from './contract.ts';
import { callTool, message, postMessage, succeeding, textOf } from './mcp-calls.ts';

const DEEP = '['.repeat(30_000) + ']'.repeat(30_000);

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const call = (name: string, values: object, to = service) => callTool(to, name, values);
const succeed = (name: string, values: object) => succeeding(service, name, values);
const post = (sent: unknown, options: AskOptions = {}, to = service) => postMessage(to, sent, options);

async function connected(mode: 'legacy' | 'auto', to = service): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`)));
  return client;
}

for (const [mode, revision] of [
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const) {
  describe(`the official client with revision ${revision}`, () => {
    let client: Client;
    before(async () => {
      client = await connected(mode);
    });
    after(() => client.close());

    it('negotiates it, and learns what the service is', () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal(client.getServerVersion()?.name, 'tidemark');
      assert.match(client.getInstructions() ?? '', /screen_assets/);
    });

    it('finds five read-only tools with titles, descriptions with an example, and closed schemas', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['screen_assets', 'search_assets', 'get_asset', 'get_history', 'describe_columns'],
      );
      for (const { title, description, annotations, inputSchema } of tools) {
        assert.ok(title);
        assert.match(description ?? '', /Example: \{.+\}/);
        assert.equal(annotations?.readOnlyHint, true);
        assert.equal(inputSchema['additionalProperties'], false);
      }
    });

    for (const [name, values, expected] of [
      ['screen_assets', { limit: 2 }, /assets match/],
      ['search_assets', { text: 'bitcoin' }, /btc-bitcoin,BTC,Bitcoin/],
      ['get_asset', { asset: 'BTC' }, /Bitcoin \(BTC\), id btc-bitcoin/],
      ['get_history', { asset: 'BTC', limit: 3 }, /Thinned: every \d+(?:st|nd|rd|th) day/],
      ['describe_columns', {}, /price \[USD\]: Latest daily close/],
    ] as const) {
      it(`calls ${name}`, async () => {
        const result = await client.callTool({ name, arguments: values });
        assert.match(textOf(result), expected);
        assert.notEqual(result.isError, true);
      });
    }

    it('gets a mistake as a result, and an unknown tool as an error of the protocol', async () => {
      const result = await client.callTool({ name: 'screen_assets', arguments: { where: 'prise > 1' } });
      assert.equal(result.isError, true);
      await assert.rejects(client.callTool({ name: 'screen_asset', arguments: {} }), /Did you mean screen_assets\?/);
    });
  });
}

describe('screen_assets', () => {
  it('shows the number of matches, the day of the data, units in the header, and the REST URL of all rows', async () => {
    const where = "change7 > 0 and symbol != 'COM,MA'";
    const text = await succeed('screen_assets', { where, sort: 'change7', limit: 2 });
    const url = /All rows, exact: (\S+)$/.exec(text)?.[1] ?? '';
    const { result } = await service.get<Envelope>(url);
    const [facts, header, first, second] = text.split('\n');
    assert.match(
      facts ?? '',
      new RegExp(`^${result.length} of \\d+ assets match\\. Rows 1 to 2 by change7 desc\\. Data of 2026-03-10\\.`),
    );
    assert.match(header ?? '', /^symbol,price USD,change1 %,change7 %/);
    assert.deepEqual(
      [first, second].map(row => row?.split(',')[0]),
      result.slice(0, 2).map(row => row['symbol']),
    );
  });

  it('sorts by rank unless asked otherwise, without waiting for optional columns', async () => {
    const text = await succeed('screen_assets', { columns: ['market_cap', 'history'], limit: 3 });
    const [facts, header, ...rows] = text.split('\n');
    assert.match(facts ?? '', /Rows 1 to 3 by rank asc\./);
    assert.equal(header, 'symbol,market_cap USD,history days,rank');
    const { result } = await service.get<Envelope>(`${LISTING}?sort=rank&order=asc&limit=3&incl_cols=rank`);
    assert.deepEqual(
      rows.slice(0, 3).map(row => [row.split(',')[0], Number(row.split(',').at(-1))]),
      result.map(row => [row['symbol'], row['rank']]),
    );
    assert.match(await succeed('screen_assets', { as_of: '2026-03-01', limit: 1 }), /by symbol asc\./);
  });

  it('waits for the optional columns, which the store publishes from the first call that needs one', async () => {
    const fresh = await startContractService();
    try {
      const { text, isError } = await call(
        'screen_assets',
        { where: 'rsi14 > 50', columns: ['rsi14'], limit: 3 },
        fresh,
      );
      assert.equal(isError, false, text);
      const { result } = await fresh.get<Envelope>(/All rows, exact: (\S+)$/.exec(text)?.[1] ?? '');
      assert.match(text, new RegExp(`^${result.length} of \\d+ assets match`));
      for (const row of result) assert.ok(Number(row['rsi14']) > 50);
    } finally {
      await fresh.close();
    }
  });

  it('shows the columns that are asked for, and those of where and sort', async () => {
    const values = { columns: ['vol30'], where: 'sma50 > sma200', sort: 'var5', limit: 1 };
    const [, header] = (await succeed('screen_assets', values)).split('\n');
    assert.equal(header, 'symbol,vol30 %/year,sma50 USD,sma200 USD,var5 USD²');
  });

  it('takes lists as a text and numbers as texts, as models send them', async () => {
    const text = await succeed('screen_assets', { columns: 'price, change1', limit: '3', where: null });
    const lines = text.split('\n');
    assert.equal(lines[1], 'symbol,price USD,change1 %,rank');
    assert.equal(lines.length, 1 + 1 + 3 + 1);
  });

  it('shows 20 rows unless asked otherwise', async () => {
    assert.equal((await succeed('screen_assets', {})).split('\n').length, 1 + 1 + 20 + 1);
  });

  it('shows a past day', async () => {
    const text = await succeed('screen_assets', {
      as_of: '2026-03-01',
      columns: ['price'],
      sort: 'symbol',
      limit: 100,
    });
    assert.match(text, /Data of 2026-03-01/);
    const { result } = await service.get<Envelope>(`${LISTING}?as_of=2026-03-01&sort=symbol&order=asc&limit=100`);
    const plain = result.filter(row => /^\w+$/.test(String(row['symbol']).trim()));
    assert.deepEqual(
      text
        .split('\n')
        .filter(line => /^\w+,[\d.e+-]+$/.test(line))
        .map(line => line.replace(/[^,]+$/, price => String(Number(price)))),
      plain.map(row => `${String(row['symbol']).trim()},${Number(Number(row['price']).toPrecision(6))}`),
    );
    // Tickers of the test market that would look like other cells or rows.
    for (const cell of ['"COM,MA",', '"QUO""TE",', 'LINE BREAK,']) assert.ok(text.includes(`\n${cell}`), cell);
  });

  it('says when nothing matches', async () => {
    const text = await succeed('screen_assets', { where: 'price < 0' });
    assert.match(text, /^0 of \d+ assets match\./);
  });
});

describe('get_asset', () => {
  it('has the optional indicators too, as the listing has them', async () => {
    const fresh = await startContractService();
    try {
      const { text } = await call('get_asset', { asset: 'BTC' }, fresh);
      const { result } = await fresh.get<Envelope>(`${LISTING}?symbol=BTC&incl_cols=all`);
      const row = result[0] ?? assert.fail();
      const shown = (name: string) => new RegExp(`(?:^|, )${name}(?: [^,\\d-]*)? (\\S+?)(?:,|$)`, 'm').exec(text)?.[1];
      for (const name of ['rsi14', 'ema200', 'macd', 'sharpe90', 'max365', 'from_ath', 'rank', 'history']) {
        const value = row[name];
        assert.equal(shown(name), value === null ? 'null' : String(Number(Number(value).toPrecision(6))), name);
      }
      assert.notEqual(row['rsi14'], null);
      assert.equal(shown('ath_at'), String(row['ath_at']).slice(0, 10));
    } finally {
      await fresh.close();
    }
  });
});

describe('get_history', () => {
  it('shows every day of a short range, oldest first, as ta-hist has them', async () => {
    const text = await succeed('get_history', {
      asset: 'btc-bitcoin',
      columns: ['price', 'sma5'],
      from: '2026-03-01',
      to: '2026-03-10',
    });
    const { result } = await service.get<Envelope>(
      '/v1/crypto/ta-hist?id=btc-bitcoin&from=2026-03-01&to=2026-03-10&order=asc',
    );
    assert.match(text, /10 days from 2026-03-01 to 2026-03-10\. Every day is shown\./);
    const round = (cell: unknown) => Number(Number(cell).toPrecision(6));
    assert.deepEqual(
      text.split('\n').slice(4, -1),
      result.map(row => `${String(row['datetimeUTC']).slice(0, 10)},${round(row['price'])},${round(row['sma5'])}`),
    );
  });

  it('thins a long range, says so, keeps the latest day, and computes the extremes from every day', async () => {
    const text = await succeed('get_history', { asset: 'btc-bitcoin', limit: 7 });
    const { result } = await service.get<Envelope>('/v1/crypto/ta-hist?id=btc-bitcoin&order=asc&limit=100000');
    const rows = text.split('\n').slice(3, -1);
    const step = Math.ceil(result.length / 7);
    assert.match(
      text,
      new RegExp(`Thinned: every ${step}\\w\\w day is shown, ${rows.length} of ${result.length} rows`),
    );
    assert.ok(rows.length <= 7);
    assert.equal(rows.at(-1)?.slice(0, 10), String(result.at(-1)?.['datetimeUTC']).slice(0, 10));
    const highest = Math.max(...result.map(row => Number(row['price'])));
    assert.ok(text.includes(`highest ${Number(highest.toPrecision(6))} (`), text);
  });

  it('has optional columns, as ta-hist has them', async () => {
    const text = await succeed('get_history', { asset: 'btc-bitcoin', columns: 'rsi14,from_ath', from: '2026-03-09' });
    const url = /exact: (\S+)$/.exec(text)?.[1] ?? '';
    const { result } = await service.get<Envelope>(url);
    const round = (cell: unknown) => Number(Number(cell).toPrecision(6));
    assert.deepEqual(
      text.split('\n').slice(4, -1),
      result.map(row => `${String(row['datetimeUTC']).slice(0, 10)},${round(row['rsi14'])},${round(row['from_ath'])}`),
    );
  });

  it('says which days there are, if the range has none', async () => {
    const text = await succeed('get_history', { asset: 'btc-bitcoin', from: '1990-01-01', to: '1990-02-01' });
    assert.match(text, /has no day in this range\. Its prices are from \d{4}/);
  });
});

describe('the route /mcp', () => {
  it('answers GET, HEAD, DELETE and PUT with 405 and Allow, because it has no sessions and no streams', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const answer = await service.ask('/mcp', { method });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.allow, 'POST, OPTIONS');
    }
  });

  it('answers a preflight with its own methods and headers', async () => {
    const { status, headers } = await service.ask('/mcp', { method: 'OPTIONS' });
    assert.equal(status, 204);
    assert.equal(headers.allow, 'POST, OPTIONS');
    assert.match(String(headers['access-control-allow-headers']), /Content-Type.*MCP-Protocol-Version/);
  });

  it('agrees on each older revision that docs/how-to/agents.md names', async () => {
    const page = readFileSync(new URL('../../docs/how-to/agents.md', import.meta.url), 'utf8');
    const [row = ''] = /^\| protocol revisions .*$/m.exec(page) ?? [];
    const older = (row.match(/\d{4}-\d\d-\d\d/g) ?? []).filter(revision => revision !== '2026-07-28');
    assert.ok(older.length >= 2);
    for (const protocolVersion of older) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const answer = await post(message('initialize', params));
      assert.equal(answer.json<{ result: { protocolVersion: string } }>().result.protocolVersion, protocolVersion);
    }
  });

  it('accepts a notification with 202 and nothing else', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.equal(answer.status, 202);
    assert.equal(answer.headers['content-length'], '0');
    assert.equal(answer.text, '');
  });

  it('repeats the request id, and is never cached', async () => {
    const answer = await post(message('ping'), { headers: { 'x-request-id': 'mine-1' } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-request-id'], 'mine-1');
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  for (const [what, body, code] of [
    ['what is not JSON', '{"jsonrpc"', -32_700],
    ['an empty body', '', -32_700],
    ['a list of messages', [message('ping'), message('ping')], -32_600],
    ['30,000 nested lists', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${DEEP}}`, -32_600],
  ] as const) {
    it(`answers ${what} with an error of JSON-RPC`, async () => {
      const answer = await post(body);
      assert.equal(answer.status, 400);
      assert.equal(answer.json<{ error: { code: number } }>().error.code, code);
    });
  }

  it('refuses what is not a message, and another content type', async () => {
    for (const body of ['null', '1', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const answer = await post(body);
      assert.equal(answer.status, 400, `${body}: ${answer.text}`);
    }
    assert.equal((await post(message('ping'), { headers: { 'content-type': 'text/plain' } })).status, 415);
  });

  it('has no subscriptions', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: {}, _meta: meta };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const answer = await post(message('subscriptions/listen', params), { headers });
    const other = await post(message('no/such', { _meta: meta }), { headers: { ...headers, 'mcp-method': 'no/such' } });
    assert.deepEqual([answer.status, answer.text], [other.status, other.text]);
    assert.equal(answer.json<{ error: { code: number } }>().error.code, -32_601);
  });

  it('refuses a body above 64 kB by its stated length and by its bytes, and goes on with the connection', async () => {
    const long = JSON.stringify(message('ping', { filler: 'x'.repeat(70_000) }));
    assertRpcProblem(await post(long), 413, 'body_too_large');
    assertRpcProblem(await post(long, { headers: { 'transfer-encoding': 'chunked' } }), 413, 'body_too_large');
    assert.equal((await post(message('ping', { filler: 'x'.repeat(50_000) }))).status, 200);
  });

  it('takes a body that arrives in pieces, and one that is announced by Expect', async () => {
    const body = JSON.stringify(message('ping'));
    for (const headers of [{}, { expect: '100-continue' }]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${service.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
        });
        sent.on('response', response => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        const pieces = () => {
          sent.write(body.slice(0, 5));
          setTimeout(() => sent.end(body.slice(5)), 20);
        };
        if ('expect' in headers) sent.on('continue', pieces);
        else pieces();
      });
      assert.equal(status, 200);
    }
  });
});

describe('the route /mcp is protected from web pages', () => {
  const refused = async (headers: Record<string, string>, options = {}) => {
    const other = await startContractService({ sources: [], ...options });
    try {
      return await post(message('ping'), { headers }, other);
    } finally {
      await other.close();
    }
  };

  for (const origin of [
    'https://evil.example',
    'null',
    'http://evil.example:80',
    'file://',
    'https://127.0.0.1.evil.example',
  ]) {
    it(`refuses the origin ${origin}`, async () => {
      assertRpcProblem(await post(message('ping'), { headers: { origin } }), 403, 'foreign_origin');
    });
  }

  it('refuses a host that is not the service (DNS rebinding), with and without an origin', async () => {
    const host = 'evil.example';
    assertRpcProblem(await post(message('ping'), { headers: { host } }), 403, 'foreign_origin');
    assertRpcProblem(
      await post(message('ping'), { headers: { host, origin: `http://${host}` } }),
      403,
      'foreign_origin',
    );
  });

  it('refuses before it looks for an API key', async () => {
    const answer = await refused({ origin: 'https://evil.example' }, { authenticate: () => assert.fail() });
    assertRpcProblem(answer, 403, 'foreign_origin');
  });

  it('accepts its own pages, local pages on the same machine, and the public address', async () => {
    for (const origin of [service.url, 'http://localhost:6274', 'http://127.0.0.1:3000']) {
      assert.equal((await post(message('ping'), { headers: { origin } })).status, 200, origin);
    }
    const headers = { host: 'data.example', origin: 'https://data.example' };
    assert.equal((await refused(headers, { publicUrl: 'https://data.example' })).status, 200);
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'data.example' };
    assert.equal((await refused(forwarded, { trustProxy: { kind: 'x-forwarded', hops: 1 } })).status, 200);
  });
});

describe('the tier of the API key', () => {
  it('limits the rows of screen_assets and of get_history, and says so', async () => {
    const grant = { tier: TIERS.free, key: 'key_1', headers: headerLines('ratelimit', '"rate";r=9;t=1') };
    const free = await startContractService({ authenticate: () => grant });
    const screen = (await call('screen_assets', {}, free)).text;
    assert.equal(screen.split('\n').length, 1 + 1 + 5 + 1);
    assert.match(screen, /The tier of the API key allows 5 rows\./);
    const history = (await call('get_history', { asset: 'BTC' }, free)).text;
    assert.ok(history.split('\n').length <= 1 + 1 + 1 + 5 + 1, history);
    assert.match(screen, /The first 5 rows \(further ones: the link next\), exact:/);
    assert.match(history, /The tier of the API key allows 5 rows\./);
    assert.match(history, /The latest 5 days \(older ones: the link next\), exact: \S*order=desc&limit=5$/);
    const { headers } = await post(message('ping'), {}, free);
    assert.equal(headers['ratelimit'], '"rate";r=9;t=1');
    await free.close();
  });
});

describe('a plain call is answered without the library', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  for (const [revision, _meta] of [
    ['2026-07-28', meta],
    ['2025-11-25', undefined],
  ] as const) {
    for (const [name, values] of [
      ['screen_assets', { limit: 3, columns: ['var5'] }],
      ['screen_assets', { where: 'prise > 1' }],
      ['get_history', { asset: 'BTC', limit: 2 }],
    ] as const) {
      for (const id of [1, 'zwölf']) {
        it(`exactly as with it: ${name} ${JSON.stringify(values)} with revision ${revision} and id ${id}`, async () => {
          const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': name };
          const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values, _meta } };
          const direct = await post(call, { headers });
          // Another way to write the type, which only the library accepts.
          const byLibrary = await post(call, {
            headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
          });
          assert.equal(direct.status, 200);
          assert.equal(direct.text, byLibrary.text);
          assert.equal(direct.headers['content-type'], byLibrary.headers['content-type']);
        });
      }
    }
  }
});
