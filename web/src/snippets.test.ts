import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type SnippetKey, snippets } from './snippets.ts';

const QUERY = "?limit=2&comparison=%5Bsma50%5D%3E:%5Bsma200%5D&q=it's";

/** What the programs asked for, and with which headers. */
const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
const server = createServer((request, response) => {
  asked.push({ url: request.url, headers: request.headers });
  response.setHeader('content-type', 'application/json').end('{"result":[{"symbol":"AAA"}]}');
});
before(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());

function textOf(name: string, key: SnippetKey): string {
  const { port } = server.address() as AddressInfo;
  return snippets(`http://127.0.0.1:${port}/v1${QUERY}`, key).find(each => each.name === name)!.text;
}

describe('a snippet', () => {
  it('as an address holds no key', () => {
    assert.doesNotMatch(textOf('URL', { literal: 'tdm_public' }), /tdm_/);
  });

  for (const [name, literal] of [
    ['curl', "-H 'X-API-Key: tdm_public'"],
    ['JavaScript', '\'X-API-Key\': "tdm_public"'],
    ['Python', '"X-API-Key": "tdm_public"'],
  ] as const) {
    it(`for ${name} writes out a public key, reads one's own from the environment, and sends none where none is needed`, () => {
      assert.ok(textOf(name, { literal: 'tdm_public' }).includes(literal));
      assert.match(textOf(name, 'environment'), /TIDEMARK_KEY/);
      assert.doesNotMatch(textOf(name, null), /api-key/i);
    });
  }

  for (const [name, program] of [
    ['curl', ['sh', '-c']],
    ['JavaScript', [process.execPath, '--input-type=module', '-e']],
    ['Python', ['python3', '-c']],
  ] as const) {
    it(`for ${name} runs as it is copied, and asks for what it says`, async t => {
      const [command, ...args] = program;
      if (spawnSync(name === 'curl' ? 'curl' : command, ['--version']).error) return t.skip(`${name} is not installed`);
      const child = spawn(command, [...args, textOf(name, 'environment')], {
        env: { ...process.env, TIDEMARK_KEY: 'tdm_own', no_proxy: '*' },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', text => {
          said += text;
        });
      }
      await new Promise(resolve => child.on('close', resolve));
      assert.match(said, /AAA/);
      const { url, headers } = asked.at(-1)!;
      assert.equal(decodeURIComponent(url ?? ''), `/v1${decodeURIComponent(QUERY)}`);
      assert.equal(headers['x-api-key'], 'tdm_own');
    });
  }
});
