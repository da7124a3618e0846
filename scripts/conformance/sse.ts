// LaunchDarkly's contract tests of Server-Sent Events on the JavaScript client. The harness is a program in Go; it asks a small service,
// which is here, to open streams with the client and to report what arrives.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { serverSentEvents } from '../../client/src/event-source.ts';
import { Transport } from '../../client/src/transport.ts';
import { listen } from '../../src/http/listen.ts';
import { freePort } from '../../test/support/postgres.ts';
import type { Result, Suite } from './suite.ts';

const run = promisify(execFile);
const MODULE = 'github.com/launchdarkly/sse-contract-tests@latest';
/**
 * Without: comments, listeners per type, request bodies, headers of one's own and restarts, which the client does not offer; and errors of a
 * read time-out, after which it connects again by itself.
 */
const CAPABILITIES = ['bom', 'last-event-id', 'server-directed-shutdown-request'];

interface StreamRequest {
  readonly streamUrl: string;
  readonly callbackUrl: string;
  readonly lastEventId?: string;
}

/** Opens streams as the harness says, until it closes them. */
class StreamService {
  readonly #streams = new Map<string, AbortController>();

  readonly handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '/' } = request;
    const stream = this.#streams.get(url);
    if (url === '/' && method === 'GET') {
      response.end(JSON.stringify({ capabilities: CAPABILITIES }));
    } else if (url === '/' && method === 'POST') {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as StreamRequest; // by the harness's specification
      const path = `/streams/${this.#streams.size}`;
      const control = new AbortController();
      this.#streams.set(path, control);
      void report(body, control.signal);
      response.writeHead(201, { location: path }).end();
    } else if (stream !== undefined && method === 'DELETE') {
      stream.abort();
      response.writeHead(204).end();
    } else {
      response.writeHead(404).end();
    }
  };
}

/** Sends what arrives to the harness, in order. */
async function report({ streamUrl, callbackUrl, lastEventId }: StreamRequest, signal: AbortSignal): Promise<void> {
  const { origin, pathname, search } = new URL(streamUrl);
  // The harness expects the first failure.
  const transport = new Transport({ url: origin, retryDelay: () => null });
  let sent = 0;
  const post = (message: object) =>
    fetch(`${callbackUrl}/${++sent}`, { method: 'POST', body: JSON.stringify(message) }).catch(() => {});
  const options = { signal, ...(lastEventId === undefined ? {} : { lastEventId }) };
  try {
    for await (const { event, data, id } of serverSentEvents(transport, pathname + search, {}, options)) {
      await post({ kind: 'event', event: { type: event === '' ? 'message' : event, data, id } });
    }
  } catch (error) {
    if (!signal.aborted) await post({ kind: 'error', comment: String(error) });
  }
}

/** The harness: the program that SSE_CONTRACT_TESTS names, or one that Go builds. */
function harness(): readonly string[] | string {
  const named = process.env['SSE_CONTRACT_TESTS'];
  if (named !== undefined) return existsSync(named) ? [named] : `SSE_CONTRACT_TESTS names no file: ${named}`;
  const { status, error, stderr } = spawnSync('go', ['run', MODULE, '--help'], { encoding: 'utf8', timeout: 300_000 });
  if (status === 0 || stderr?.includes('Usage of') || stderr?.includes('-stop-service-at-end'))
    return ['go', 'run', MODULE];
  const why = error === undefined ? stderr.trim().split('\n').at(-1) : 'the program go is not installed';
  return `Go cannot build the harness (${why}); set SSE_CONTRACT_TESTS to its path`;
}

export const sseContract: Suite = {
  name: 'SSE contract tests',
  tests: 'the streams of the JavaScript client',
  async run() {
    const found = harness();
    if (typeof found === 'string') return { missing: found };
    const server = createServer(new StreamService().handle);
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    const [program = '', ...args] = found;
    const port = String(await freePort());
    try {
      const output = await run(program, [...args, '-url', url, '-host', '127.0.0.1', '-port', port], {
        maxBuffer: 2 ** 26,
      })
        .then(({ stdout }) => stdout)
        // It ends with 1 if a test fails, and its output says which.
        .catch((error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`);
      return outcomeOf(output);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};

/** Each test is a line `[group/test]`, followed by how it ended if it did not pass. */
function outcomeOf(output: string): Result {
  const failed = [...output.matchAll(/^ {2}\* (.*)$/gm)].map(([, name = '']) => name);
  const skipped = [...output.matchAll(/^ {2}SKIPPED: .*? \((.*)\)$/gm)].map(([, why = '']) => why);
  const names = [...output.matchAll(/^\[(.*)\]$/gm)].map(([, name = '']) => name);
  // A group is named before its tests.
  const tests = names.filter(name => !names.some(other => other.startsWith(`${name}/`)));
  const reasons = Map.groupBy(skipped, why =>
    why.replace('test service does not have', 'the client does not have the'),
  );
  return {
    tool: /^sse-contract-tests \d+(?:\.\d+)+/m.exec(output)?.[0] ?? 'sse-contract-tests',
    counted: 'tests',
    passed: tests.length - failed.length - skipped.length,
    failed: tests.length === 0 ? [output.slice(0, 500)] : failed,
    inapplicable: [...reasons].map(([why, all]) => ({ count: all.length, why })),
  };
}
