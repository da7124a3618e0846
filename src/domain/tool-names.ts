// The names of the tools for agents, in the order in which clients list them. The tools themselves are in `mcp/tools/`.

export const TOOL_NAMES = ['screen_assets', 'search_assets', 'get_asset', 'get_history', 'describe_columns'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

export function isToolName(text: string): text is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(text); // `includes` takes members only
}
