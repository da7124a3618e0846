// The usual message of `/mcp`, a plain call of a known tool, without the library: it would take most of the time of the request. Any
// message that is not exactly such a call is left to the library. A test compares the answers of both.

import type { IncomingHttpHeaders } from 'node:http';
import { isToolName, type ToolName } from '../../domain/tool-names.ts';
import type { Answer } from '../../http/wire/answer.ts';
import { headerLines } from '../../http/wire/head.ts';
import type { Values } from '../../mcp/tool.ts';
import type { ToolResult } from '../../mcp/tools.ts';

export interface DirectCall {
  readonly id: string | number;
  readonly name: ToolName;
  readonly values: Values;
  /** Of revision 2026-07-28. */
  readonly isModern: boolean;
}

const MODERN = '2026-07-28';
const OLDER: readonly (string | undefined)[] = ['2025-11-25', '2025-06-18', undefined];
const MESSAGE = ['jsonrpc', 'id', 'method', 'params'];
const PARAMS = ['name', 'arguments', '_meta'];
const IMPLEMENTATION = ['name', 'version'];
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const META = [VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY];
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/** Null for any other message. */
export function directCall(message: unknown, headers: IncomingHttpHeaders): DirectCall | null {
  if (!isObject(message) || !hasOnly(message, MESSAGE)) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || headers['content-type'] !== 'application/json') return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!isObject(params) || !hasOnly(params, PARAMS)) return null;
  const { name, arguments: values = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isObject(values) || !isToolName(name)) return null;
  const revision = headers['mcp-protocol-version']?.toString();
  const isModern = revision === MODERN;
  if (isModern ? !isModernCall(meta, headers, name) : meta !== undefined || !OLDER.includes(revision)) return null;
  return { id: id as string | number, name, values, isModern }; // checked above
}

function isModernCall(meta: unknown, headers: IncomingHttpHeaders, name: string): boolean {
  if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== name || !isObject(meta)) return false;
  const { [VERSION_KEY]: version, [CLIENT_KEY]: info, [CAPABILITIES_KEY]: capabilities } = meta;
  return (
    hasOnly(meta, META) &&
    version === MODERN &&
    isObject(capabilities) &&
    Object.keys(capabilities).length === 0 &&
    isObject(info) &&
    hasOnly(info, IMPLEMENTATION) &&
    typeof info['name'] === 'string' &&
    typeof info['version'] === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, names: readonly string[]): boolean {
  for (const name of Object.keys(value)) if (!names.includes(name)) return false;
  return true;
}

const HEADERS = headerLines('cache-control', 'no-store', 'content-type', 'application/json');
/** As byte strings, made once per result: results are cached. */
const contents = new WeakMap<ToolResult, string>();

/** The members and their order are the library's. */
export function directAnswer({ id, isModern }: DirectCall, result: ToolResult, version: string): Answer {
  let content = contents.get(result);
  if (content === undefined) {
    const { text, isError } = result;
    content = bytes(
      JSON.stringify({ content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }).slice(1, -1),
    );
    contents.set(result, content);
  }
  const modern = isModern ? modernMembers(version) : '';
  return {
    status: 200,
    headers: HEADERS,
    body: [`{"result":{${content}${modern}},"jsonrpc":"2.0","id":${bytes(JSON.stringify(id))}}`],
  };
}

function modernMembers(version: string): string {
  return `,"resultType":"complete","_meta":{"${SERVER_KEY}":{"name":"tidemark","title":"Tidemark","version":"${version}"}}`;
}

function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
