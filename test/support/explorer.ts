// The explorer as a browser meets it: the built page with its headers, and behind it the real service on demo data.

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const dist = join(import.meta.dirname, '../../web/dist');

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageConfig {
  readonly group: string;
  readonly demoKey: string | null;
  readonly open: boolean;
}

export interface Explorer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page as the demo or as an installation with keys; all else goes to `service`. */
export async function startExplorer(service: string, config: PageConfig): Promise<Explorer> {
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', service).pathname;
    if (path === '/' || path.startsWith('/asset/')) void sendPage(outgoing, config);
    else if (path.startsWith('/app/')) void sendFile(outgoing, path);
    else forward(incoming, outgoing, service);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => stop(server) };
}

async function sendPage(outgoing: ServerResponse, config: PageConfig): Promise<void> {
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  const content = JSON.stringify(config).replaceAll('"', '&quot;');
  outgoing.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  });
  outgoing.end(page.replace('name="tidemark" content=""', `name="tidemark" content="${content}"`));
}

async function sendFile(outgoing: ServerResponse, path: string): Promise<void> {
  outgoing.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
  outgoing.end(await readFile(join(dist, path)));
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, service: string): void {
  const { method, headers } = incoming;
  const onward = request(new URL(incoming.url ?? '/', service), { method, headers }, answer => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}
