// The protocol server of the tools: the official library answers the protocol, the tools answer the calls.

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { TOOL_LIST, type ToolResult, unknownTool } from './tools.ts';

export const INSTRUCTIONS =
  'Tidemark: daily prices and technical indicators of digital assets, read-only. Start with screen_assets for questions about many assets, ' +
  'search_assets to find one by name, describe_columns for the meaning of columns. Values are daily closes in USD; every answer names the day of its data.';

export type CallTool = (name: string, values: Readonly<Record<string, unknown>>) => ToolResult | Promise<ToolResult>;

/** A new one per request or connection: the library keeps the state of a client in it. */
export function mcpServer(version: string, call: CallTool): Server {
  const server = new Server(
    { name: 'tidemark', title: 'Tidemark', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOL_LIST] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const unknown = unknownTool(params.name);
    if (unknown !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknown);
    const { text, isError } = await call(params.name, params.arguments ?? {});
    return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
  });
  return server;
}
