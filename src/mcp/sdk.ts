// What the program uses of the official library of the Model Context Protocol. The npm package has this module with the library in it
// (scripts/bundle-sdk.ts): installed, the library and its dependencies are larger than everything else.

export {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
