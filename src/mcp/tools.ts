// The table of tools, what a client reads about them, and how one is called.

import { nearest } from '../common/nearest.ts';
import { TOOL_NAMES, type ToolName } from '../domain/tool-names.ts';
import { ApiError, quoted } from '../errors.ts';
import { Arguments, type InputSchema, inputSchema, withPlainConditions } from './arguments.ts';
import { NO_SERVICE } from './rest-url.ts';
import { errorText } from './teach.ts';
import type { CallContext, Tool, Values } from './tool.ts';
import { describeColumns } from './tools/describe-columns.ts';
import { getAsset } from './tools/get-asset.ts';
import { getHistory } from './tools/get-history.ts';
import { screenAssets } from './tools/screen-assets.ts';
import { searchAssets } from './tools/search-assets.ts';

export const TOOLS: readonly Tool[] = [screenAssets, searchAssets, getAsset, getHistory, describeColumns];

const BY_NAME: ReadonlyMap<ToolName, Tool> = new Map(TOOLS.map(tool => [tool.name, tool]));

export interface ListedTool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false };
}

/** The members of `tools/list`. */
export const TOOL_LIST: readonly ListedTool[] = TOOLS.map(tool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool.arguments),
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A mistake of the caller, and data that is not there, are results; any other failure is thrown. */
export function callTool(name: ToolName, sent: Values, context: CallContext): ToolResult | Promise<ToolResult> {
  const tool = BY_NAME.get(name)!; // the table has all of them
  const values = withPlainConditions(tool.arguments, sent);
  const failed = (error: unknown): ToolResult => {
    if (!(error instanceof ApiError)) throw error;
    return { text: errorText(tool, values, error, context), isError: true };
  };
  const succeeded = (text: string): ToolResult => {
    const hasPaths = context.baseUrl === '' && text.includes(`/v1/${context.data.group}/`);
    return { text: hasPaths ? `${text}\n${NO_SERVICE}` : text, isError: false };
  };
  try {
    const answer = tool.run(new Arguments(tool.arguments, values), context);
    return typeof answer === 'string' ? succeeded(answer) : answer.then(succeeded).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

/** What is wrong with a name that is not that of a tool. The protocol has its own error for it. */
export function unknownTool(name: string): string {
  const near = nearest(name, TOOL_NAMES);
  return `Unknown tool ${quoted(name)}.${near === null ? '' : ` Did you mean ${near}?`} Tools: ${TOOL_NAMES.join(', ')}.`;
}
