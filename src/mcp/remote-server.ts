// A protocol server whose tools are those of a Tidemark service: it passes the calls on to `POST /mcp`.

import { type CallToolResult, type ListToolsResult, ProtocolError, Server } from './sdk.ts';
import { INSTRUCTIONS } from './server.ts';

/** Stateless: it needs no handshake. */
const REVISION = '2025-11-25';
const TIMEOUT_MS = 30_000;

export interface RemoteService {
  /** Without `/mcp`. */
  readonly url: string;
  /** Null for a service without API keys. */
  readonly key: string | null;
}

/** `follow` is given each request that is passed on. */
export function remoteServer(
  version: string,
  service: RemoteService,
  follow: (request: Promise<unknown>) => Promise<unknown>,
): Server {
  const server = new Server(
    { name: 'tidemark', title: 'Tidemark', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  // The library of the service has checked both.
  server.setRequestHandler(
    'tools/list',
    async () => (await follow(passOn(service, 'tools/list', {}))) as ListToolsResult,
  );
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: values = {} } = params;
    return (await follow(passOn(service, 'tools/call', { name, arguments: values }))) as CallToolResult;
  });
  return server;
}

interface RpcResponse {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What the service does not refuse with another status has its own meaning in the protocol, such as an unknown tool. */
const PROTOCOL_STATUSES = [200, 400];

async function passOn({ url, key }: RemoteService, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${url.replace(/\/$/, '')}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (response === null) return failed(`${url} cannot be reached.`);
  const { error, result } = (await response.json().catch(() => ({}))) as RpcResponse; // or of a proxy, without either
  if (error !== undefined && PROTOCOL_STATUSES.includes(response.status)) {
    throw new ProtocolError(error.code, error.message);
  }
  if (response.ok && result !== undefined) return result;
  return failed(`${url} refused the request with ${response.status}. ${error?.message ?? ''}`.trim());

  /** A model reads the result of a call, and a person the error of a list. */
  function failed(text: string): object {
    if (method !== 'tools/call') throw new ProtocolError(-32_603, text);
    return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true };
  }
}
