// The observer of the API: what the server reports, and the use of caches and tools.

import type { ToolName } from '../domain/tool-names.ts';
import type { HttpObserver } from '../http/observe/http-observer.ts';
import type { ToolOutcome } from '../observe/shared-metrics.ts';

export type CacheName = 'plan' | 'page';

export interface ApiObserver extends HttpObserver {
  lookedUp(cache: CacheName, found: boolean): void;
  toolCalled(tool: ToolName, outcome: ToolOutcome): void;
}
