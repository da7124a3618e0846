// The HTTP observer of a serving thread: counts what its server reports and writes the request log.

import { LOGGED_NAMES } from '../api/logged-names.ts';
import type { ApiObserver } from '../api/observer.ts';
import { requestLines } from '../http/observe/request-log.ts';
import type { TrustedProxy } from '../http/wire/trusted-proxy.ts';
import type { LineBuffer } from '../observe/line-buffer.ts';
import type { LogForm } from '../observe/log-form.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';

export interface ThreadObserverOptions {
  readonly metrics: SharedMetrics;
  readonly log: LogForm;
  readonly lines: LineBuffer;
  readonly thread: number;
  readonly trustProxy: TrustedProxy | null;
}

export function threadObserver({ metrics, log, lines, thread, trustProxy }: ThreadObserverOptions): ApiObserver {
  const lineOf = requestLines(log, thread, { trustProxy, loggedNames: LOGGED_NAMES });
  return {
    routes: labels => metrics.nameRoutes(labels),
    connected: change => {
      metrics.add('connections', change);
      if (change > 0) metrics.add('connectionsTaken');
    },
    refused: reason => metrics.add(reason === 'full' ? 'refusedFull' : 'refusedAddress'),
    taken: () => metrics.add('inFlight'),
    answered: trace => {
      const { route, request, status, code, seconds, secondsToStream, bytes, aborted } = trace;
      metrics.add('inFlight', -1);
      metrics.countRequest(route, request.method, status, secondsToStream ?? seconds, bytes);
      if (aborted) metrics.add('aborted');
      if (code !== null) metrics.countProblem(code);
      const line = lineOf(trace);
      if (line !== null) lines.add(line);
    },
    dropped: () => {
      metrics.add('inFlight', -1);
      metrics.add('dropped');
    },
    streaming: change => {
      metrics.add('streams', change);
      metrics.add('inFlight', change > 0 ? -1 : 1);
    },
    queued: change => metrics.add('queued', change),
    waiting: change => metrics.add('waiting', change),
    held: change => metrics.add('held', change),
    unreadable: code => metrics.countProblem(code),
    toolCalled: (tool, outcome) => metrics.countToolCall(tool, outcome),
    lookedUp: (cache, found) => {
      if (cache === 'plan') metrics.add(found ? 'planHits' : 'planMisses');
      else metrics.add(found ? 'pageHits' : 'pageMisses');
    },
  };
}
