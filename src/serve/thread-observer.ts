// A serving thread's ears: counts what its server tells of, and writes the lines of requests.

import type { Observer } from '../http/observe/http-observer.ts';
import { requestLines } from '../http/observe/request-log.ts';
import type { Figures } from '../observe/figures.ts';
import type { LineBuffer } from '../observe/line-buffer.ts';
import type { LogForm } from '../observe/log-form.ts';

export interface ThreadObserverOptions {
  readonly figures: Figures;
  readonly log: LogForm;
  readonly lines: LineBuffer;
  readonly thread: number;
  readonly trustProxy: boolean;
}

export function threadObserver({ figures, log, lines, thread, trustProxy }: ThreadObserverOptions): Observer {
  const lineOf = requestLines(log, thread, { trustProxy });
  return {
    routes: labels => figures.nameRoutes(labels),
    connected: change => {
      figures.add('connections', change);
      if (change > 0) figures.add('connectionsTaken');
    },
    refused: reason => figures.add(reason === 'full' ? 'refusedFull' : 'refusedAddress'),
    taken: () => figures.add('inFlight'),
    answered: exchange => {
      const { route, request, status, code, seconds, bytes, aborted } = exchange;
      figures.add('inFlight', -1);
      figures.countRequest(route, request.method, status, seconds, bytes);
      if (aborted) figures.add('aborted');
      if (code !== null) figures.countProblem(code);
      const line = lineOf(exchange);
      if (line !== null) lines.add(line);
    },
    dropped: () => {
      figures.add('inFlight', -1);
      figures.add('dropped');
    },
    queued: change => figures.add('queued', change),
    waiting: change => figures.add('waiting', change),
    held: change => figures.add('held', change),
    unreadable: code => figures.countProblem(code),
    lookedUp: (cache, found) => {
      if (cache === 'plan') figures.add(found ? 'planHits' : 'planMisses');
      else figures.add(found ? 'pageHits' : 'pageMisses');
    },
  };
}
