// Messages and calls of tools over POST /mcp.

import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Answer, AskOptions, TestService } from '../support/service.ts';

type Asked = Pick<TestService, 'ask'>;

export function postMessage(to: Asked, sent: unknown, options: AskOptions = {}): Promise<Answer> {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const headers = { 'content-type': 'application/json', ...options.headers };
  return to.ask('/mcp', { method: 'POST', body, ...options, headers });
}

export function message(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

export function textOf(result: CallToolResult): string {
  const [content] = result.content;
  assert.equal(content?.type, 'text');
  return content.text;
}

export async function callTool(
  to: Asked,
  name: string,
  values: object,
  options: AskOptions = {},
): Promise<{ text: string; isError: boolean }> {
  const answer = await postMessage(to, message('tools/call', { name, arguments: values }), options);
  assert.equal(answer.status, 200, answer.text);
  const { result } = answer.json<{ result: CallToolResult }>();
  return { text: textOf(result), isError: result.isError ?? false };
}

export async function succeeding(to: Asked, name: string, values: object): Promise<string> {
  const { text, isError } = await callTool(to, name, values);
  assert.equal(isError, false, text);
  return text;
}

export async function failing(to: Asked, name: string, values: object): Promise<string> {
  const { text, isError } = await callTool(to, name, values);
  assert.equal(isError, true, text);
  return text;
}
