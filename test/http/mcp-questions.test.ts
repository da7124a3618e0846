// What a model asks: twenty questions against the demo, answered by one call each; and what the tools cost in tokens.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { parse } from 'csv-parse/sync';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { TOOL_LIST } from '../../src/mcp/tools.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';
import { type CsvData, type CsvRow, QUESTIONS } from './mcp-questions.ts';

let demo: DemoServer;
let data: CsvData;
before(async () => {
  demo = await startDemo();
  const csv = async (path: string): Promise<CsvRow[]> => {
    const { status, text } = await demo.ask(`/v1/crypto/${path}`);
    assert.equal(status, 200, text);
    return parse(text, { columns: true });
  };
  data = {
    current: await csv('ta-cur?format=csv&limit=100000&incl_cols=all'),
    january: await csv('ta-cur?format=csv&limit=100000&as_of=2026-01-31'),
    assets: await csv('assets?format=csv&limit=100000'),
    history: await csv('ta-hist?format=csv&limit=100000&id=aldm-aldermoor&from=2026-01-01'),
  };
});
after(() => demo.close());

async function call(name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });
  const answer = await demo.ask('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: '127.0.0.1' },
    body,
  });
  assert.equal(answer.status, 200, answer.text);
  const { result } = answer.json<{ result: CallToolResult }>();
  const [content] = result.content;
  assert.equal(content?.type, 'text');
  assert.notEqual(result.isError, true, content.text);
  return content.text;
}

describe('a question in plain words', () => {
  it('is one of twenty', () => assert.equal(new Set(QUESTIONS.map(({ question }) => question)).size, 20));

  for (const { question, tool, arguments: values, expected } of QUESTIONS) {
    it(question, async () => {
      const text = await call(tool, values);
      const answer = expected(data);
      if (!('matches' in answer)) {
        for (const part of answer) assert.ok(text.includes(part), `${part} is not in ${text}`);
        return;
      }
      const lines = text.split('\n').slice(2, -1);
      assert.ok(answer.matches > 0, 'a question without an answer checks little');
      assert.equal(Number(text.split(' ', 1)[0]), answer.matches);
      assert.deepEqual(
        lines.map(line => line.split(',', 1)[0]),
        answer.symbols,
      );
    });
  }
});

// Tokens of o200k_base, the tokenizer of OpenAI's GPT-4o and later; those of other models differ by some ten percent.
describe('in tokens', () => {
  it('the list of tools has fewer than 2,500', () => {
    assert.ok(encode(JSON.stringify({ tools: TOOL_LIST })).length < 2500);
  });

  it('a default answer of screen_assets has fewer than 1,200', async () => {
    const text = await call('screen_assets', {});
    assert.equal(text.split('\n').length, 1 + 1 + 20 + 1);
    assert.ok(encode(text).length < 1200, String(encode(text).length));
  });

  it('the language of where has at most 30 lines', async () => {
    assert.ok((await call('describe_columns', { group: 'expressions' })).split('\n').length <= 30);
  });
});
