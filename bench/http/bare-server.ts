// The limit: node:http with as many threads, which sends bytes that lie ready, headers included, and does nothing else.
//
//   node bench/http/bare-server.ts ANSWERS.json PORT THREADS

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface ReadyAnswer {
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
}

interface Setup {
  readonly file: string;
  readonly port: number;
}

if (isMainThread) {
  const [file = '', port = '0', threads = '1'] = process.argv.slice(2);
  const workerData: Setup = { file, port: Number(port) };
  const listening = Array.from({ length: Number(threads) }, () => {
    const worker = new Worker(new URL(import.meta.url), { workerData });
    return new Promise(resolve => worker.once('message', resolve));
  });
  await Promise.all(listening);
  process.stdout.write('listening\n');
} else {
  const { file, port } = workerData as Setup; // passed above
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, ReadyAnswer>; // the benchmark wrote it
  const ready = new Map(
    Object.entries(answers).map(([path, { headers, body }]) => [path, { headers, body: Buffer.from(body, 'base64') }]),
  );
  const server = createServer((request, response) => {
    const { headers, body } = ready.get(request.url!)!;
    response.writeHead(200, headers as string[]); // Node only reads it
    response.end(body);
  });
  server.listen({ host: '127.0.0.1', port, reusePort: true }, () => parentPort?.postMessage('listening'));
}
