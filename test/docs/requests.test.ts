// Every request in the docs works as it is written.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { documentationPages } from '../../scripts/docs.ts';
import { DEMO_URL, type DemoServer, startDemo } from '../support/demo-server.ts';
import { EventClient } from '../support/event-client.ts';
import { assertValidAnswer } from '../support/openapi.ts';

const root = join(import.meta.dirname, '../..');

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

/** An address ends at a space, a quote or a bracket that closes. */
const ADDRESS = new RegExp(`${DEMO_URL.replaceAll('.', '\\.')}(/[^\\s'"\`)]*)`, 'g');

describe('the requests in the docs', () => {
  const pages = documentationPages().map(file => ({ name: relative(root, file), text: readFileSync(file, 'utf8') }));
  let found = 0;
  for (const { name, text } of pages) {
    const commands = [...text.matchAll(/curl [^\n]*/g)].filter(([command]) => command.includes(DEMO_URL));
    for (const [command] of commands) {
      it(`${name} quotes the address in: ${command}`, () => assert.match(command, new RegExp(`'${DEMO_URL}/[^']*'`)));
    }
    const withoutExamples = text.replace(/<!-- generated:[\s\S]*?<!-- \/generated/g, '');
    for (const path of new Set([...withoutExamples.matchAll(ADDRESS)].map(match => match[1]!))) {
      found++;
      it(`${name} is answered ${path}`, async () => {
        if (/format=sse|\/events/.test(path)) return isStreamed(`${demo.url}${path}`);
        if (path === '/mcp') return takesMessages(`${demo.url}${path}`);
        const { status, headers, body, text: answer } = await demo.ask(path);
        // An export redirects to its current version.
        assert.equal(status, path.includes('/export/') ? 307 : 200, answer);
        assertValidAnswer(path, 'GET', status, headers, body);
      });
    }
  }

  async function takesMessages(url: string): Promise<void> {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'describe_columns', arguments: {} },
    };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.match(text, /"result"/);
  }

  async function isStreamed(url: string): Promise<void> {
    const client = await EventClient.open(url);
    assert.equal(client.status, 200);
    await client.next();
    client.close();
  }

  it('are found', () => assert.ok(found >= 10, `${found}`));
});
