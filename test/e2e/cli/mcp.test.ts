// `tidemark mcp` over standard input and output, with the official client: of a store, and of a running service.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { parseMetrics, sampleValue } from '../../support/metric-parser.ts';
import { ServerProcess } from '../../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-mcp-'));
const store = `sqlite:${join(folder, 'store.db')}`;
const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
let server: ServerProcess;
/** Of the service, with an API key: one process for the tests that need nothing else. */
let remote: Client;
/** Closed at the end, also those of a test that failed: their processes would keep this one alive. */
const clients: Client[] = [];

before(async () => {
  await copyDemoStore(join(folder, 'store.db'));
  server = await ServerProcess.start('--demo', '--store', store, '--workers', '1');
  remote = await connected(['--url', server.url, '--key', DEMO_KEYS.pro]);
});
after(async () => {
  await Promise.all(clients.map(client => client.close()));
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function connected(args: readonly string[], mode: 'auto' | 'legacy' = 'auto', env = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  const command = ['--disable-warning=ExperimentalWarning', launcher, 'mcp', ...args];
  const inherited = { PATH: process.env['PATH'] ?? '', ...env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: command, env: inherited, stderr: 'ignore' }),
  );
  return client;
}

function textOf({ content: [content] }: CallToolResult): string {
  assert.equal(content?.type, 'text');
  return content.text;
}

const CALLS = [
  ['screen_assets', { where: 'vol30 > 5', sort: 'change7', limit: 3 }, /assets match/],
  ['screen_assets', { as_of: '2026-01-31', limit: 3 }, /Data of 2026-01-31/],
  ['search_assets', { text: 'aldermoor' }, /aldm-aldermoor,ALDM,Aldermoor/],
  ['get_asset', { asset: 'ALDM' }, /Aldermoor \(ALDM\), id aldm-aldermoor/],
  ['get_history', { asset: 'aldm-aldermoor', limit: 10 }, /Thinned/],
  ['describe_columns', {}, /price \[USD\]/],
] as const;

describe('tidemark mcp', () => {
  for (const mode of ['auto', 'legacy'] as const) {
    it(`answers every tool from a store and from a service with the same rows (${mode})`, async () => {
      const local = await connected(['--demo', '--store', store], mode);
      const remote = await connected(['--url', server.url], mode, { TIDEMARK_KEY: DEMO_KEYS.pro });
      assert.equal(local.getNegotiatedProtocolVersion(), mode === 'auto' ? '2026-07-28' : '2025-11-25');
      assert.deepEqual((await local.listTools()).tools, (await remote.listTools()).tools);
      for (const [name, values, expected] of CALLS) {
        const texts: string[][] = [];
        for (const client of [local, remote]) {
          const result = await client.callTool({ name, arguments: values });
          assert.notEqual(result.isError, true, textOf(result));
          assert.match(textOf(result), expected);
          texts.push(
            textOf(result)
              .split('\n')
              .filter(line => !line.includes('/v1/') && !line.startsWith('These are paths')),
          );
        }
        assert.deepEqual(texts[0], texts[1]);
      }
      await Promise.all([local.close(), remote.close()]);
    });
  }

  it('gives whole REST URLs of a service, and says what the paths of a store are', async () => {
    const local = await connected(['--demo', '--store', store]);
    const named = await connected(['--demo', '--store', store, '--public-url', 'https://data.example']);
    for (const [name, values] of CALLS.filter(([name]) => name !== 'describe_columns')) {
      const text = async (client: Client) => textOf(await client.callTool({ name, arguments: values }));
      const urls = (await text(remote)).match(/\S*\/v1\/\S*/g) ?? [];
      assert.ok(urls.length > 0);
      for (const url of urls) {
        assert.ok(url.startsWith(`${server.url}/v1/crypto/`), url);
        assert.equal((await fetch(url, { headers: { 'x-api-key': DEMO_KEYS.pro } })).status, 200, url);
      }
      assert.match(
        await text(local),
        /\nThese are paths of the REST API: 'tidemark serve' on the same store serves them/,
      );
      assert.match(await text(named), / https:\/\/data\.example\/v1\/crypto\/\S+$/);
    }
    await Promise.all([local.close(), named.close()]);
  });

  it('counts the calls of a service by tool and outcome', async () => {
    const counts = async () => {
      const families = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
      return (['ok', 'error'] as const).map(outcome =>
        sampleValue(families, 'tidemark_tool_calls_total', { tool: 'get_asset', outcome }),
      );
    };
    const [ok, error] = await counts();
    for (const asset of ['ALDM', 'ALDM', 'no such thing']) {
      await remote.callTool({ name: 'get_asset', arguments: { asset } });
    }
    await wait(1100); // metrics are at most a second old
    assert.deepEqual(await counts(), [ok! + 2, error! + 1]);
  });

  it('passes a mistake, an unknown tool, and the refusal of a key on', async () => {
    const mistaken = await remote.callTool({ name: 'screen_assets', arguments: { where: 'prise > 1' } });
    assert.equal(mistaken.isError, true);
    assert.match(textOf(mistaken), /Corrected call: screen_assets \{"where":"price > 1"\}/);
    await assert.rejects(remote.callTool({ name: 'screen', arguments: {} }), /Unknown tool "screen"/);
    const keyless = await connected(['--url', server.url]);
    const refused = await keyless.callTool({ name: 'screen_assets', arguments: {} });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /401\. This path requires an API key/);
    await keyless.close();
  });

  for (const [from, args] of [
    ['a store', () => ['--store', store]],
    ['a service', () => ['--url', server.url, '--key', DEMO_KEYS.pro]],
  ] as const) {
    it(`answers the calls that came before its input was closed, from ${from}`, () => {
      const clientInfo = { name: 'test', version: '1' };
      const messages = [
        { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name: 'get_history', arguments: { asset: 'ALDM' } } },
        { id: 3, method: 'tools/call', params: { name: 'screen_assets', arguments: { where: '', limit: 2 } } },
      ];
      const { stdout } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', launcher, 'mcp', ...args()],
        {
          input: messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
          encoding: 'utf8',
        },
      );
      const answers = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3]);
      assert.match(answers.find(({ id }) => id === 3).result.content[0].text, /Rows 1 to 2/);
    });
  }

  it('refuses --url together with --store, ends when its input is closed, and writes nothing else to standard output', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', launcher, 'mcp', ...args], {
        input: '',
        encoding: 'utf8',
      });
    const both = run('--url', server.url, '--store', store);
    assert.equal(both.status, 2);
    assert.match(both.stderr, /--url or --store, not both/);
    const ended = run('--store', store);
    assert.deepEqual([ended.status, ended.stdout], [0, '']);
  });
});
