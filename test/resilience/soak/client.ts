// Asks a server in the ways that clients do: on kept lines and on fresh ones, from several addresses, to the end or not.

import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An address of this machine, such as 127.0.0.2. */
  readonly from?: string;
  /** On a line of its own, so that the system chooses a thread for it. */
  readonly fresh?: boolean;
}

const LINES = 8;
/** For an answer to arrive; a server that holds back a refusal takes up to a minute. */
const TIMEOUT_MS = 90_000;

export class SoakClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: LINES });

  constructor(base: string) {
    this.#url = new URL(base);
  }

  ask(path: string, options: AskOptions = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = this.#send(path, options, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const packed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: packed ? gunzipSync(bytes) : bytes });
        });
      });
      sent.on('error', reject);
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    });
  }

  /** Goes away when the answer begins to arrive. */
  abandon(path: string, options: AskOptions): Promise<void> {
    return new Promise(resolve => {
      const sent = this.#send(path, { ...options, fresh: true }, response => {
        response.once('data', () => sent.destroy());
        response.on('error', () => {});
      });
      sent.on('error', () => {});
      sent.on('close', resolve);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    path: string,
    { method = 'GET', headers = {}, from, fresh = false }: AskOptions,
    onResponse: (response: IncomingMessage) => void,
  ) {
    const { hostname, port } = this.#url;
    const line = { agent: fresh ? false : this.#agent, ...(from === undefined ? {} : { localAddress: from }) };
    const sent = request({ hostname, port, path, method, headers, ...line }, onResponse);
    sent.end();
    return sent;
  }
}
