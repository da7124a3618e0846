// The log line of a request.

import type { LogForm } from '../../observe/log-form.ts';
import { clientAddress, type TrustedProxy } from '../wire/trusted-proxy.ts';
import type { RequestTrace } from './http-observer.ts';
import { loggableUrl } from './loggable-url.ts';

export interface LogFacts {
  readonly trustProxy: TrustedProxy | null;
  /** The names of parameters whose values are logged. */
  readonly loggedNames: ReadonlySet<string>;
}

/** Members in the order of `REQUEST_FIELDS`. Without JSON.stringify for the whole, because it runs for each request. */
function jsonLine(trace: RequestTrace, thread: number, facts: LogFacts): string {
  const { request, id, route, status, code, seconds, bytes, key, aborted } = trace;
  const { path, query } = loggableUrl(request.url ?? '/', facts.loggedNames);
  return (
    // Request ids, times, codes and ids of API keys contain nothing that JSON must escape.
    `{"time":"${new Date().toISOString()}","level":"${status >= 500 ? 'error' : 'info'}","event":"request","id":"${id}",` +
    `"method":${JSON.stringify(request.method)},"route":${JSON.stringify(route)},"path":${JSON.stringify(path)},` +
    `"query":${JSON.stringify(query)},"status":${status},"code":${quotedOrNull(code)},"ms":${millis(seconds)},` +
    `"bytes":${bytes},"key":${quotedOrNull(key)},"address":${JSON.stringify(addressOf(trace, facts))},` +
    `"thread":${thread}${aborted ? ',"aborted":true' : ''}}`
  );
}

function textLine(trace: RequestTrace, _thread: number, facts: LogFacts): string {
  const { request, id, status, seconds, bytes, key, aborted } = trace;
  const { path, query } = loggableUrl(request.url ?? '/', facts.loggedNames);
  const asked = printable(`${request.method} ${path}${query === '' ? '' : `?${query}`}`);
  const who = printable(`${key ?? '-'} ${addressOf(trace, facts)}`);
  return `${new Date().toISOString()} ${status} ${millis(seconds)} ms ${bytes} B${aborted ? ' aborted' : ''} ${asked} ${who} ${id}`;
}

/** The line to write for a request, or null if it is not logged. */
export function requestLines(
  { form, requests }: LogForm,
  thread: number,
  facts: LogFacts,
): (trace: RequestTrace) => string | null {
  if (requests === 'none') return () => null;
  const least = requests === 'failed' ? 500 : 0;
  const write = form === 'json' ? jsonLine : textLine;
  return trace => (trace.status < least ? null : write(trace, thread, facts));
}

function addressOf({ request: { headers, socket } }: RequestTrace, facts: LogFacts): string {
  return clientAddress(facts, headers, socket.remoteAddress);
}

function millis(seconds: number): string {
  return (seconds * 1000).toFixed(3);
}

function quotedOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** A client chooses these texts: control characters could forge log lines or move the cursor. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD');
}
