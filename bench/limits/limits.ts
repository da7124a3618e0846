// What a good client gets while bad requests rain beside it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newApiKey } from '../../src/domain/api-key.ts';
import type { LoadOptions } from '../load/generator.ts';
import { runLoad } from '../load/run.ts';
import { PROGRAM } from '../program.ts';
import type { Bench } from '../report.ts';

const run = promisify(execFile);
const sinkScript = join(import.meta.dirname, '../load/sink.ts');

const SECONDS = 6;
const FLOOD = 10_000;

async function tidemark(folder: string, ...args: string[]): Promise<string> {
  return (await run(PROGRAM, args, { cwd: folder })).stdout;
}

async function key(folder: string, tier: string): Promise<string> {
  const made = JSON.parse(await tidemark(folder, 'keys', 'create', '--tier', tier, '--json')) as { key: string };
  return made.key;
}

async function serve(folder: string): Promise<{ port: number; server: ChildProcess }> {
  const args = ['serve', '--port', '0', '--json', '--tiers', 'narrow: rate=1 burst=1'];
  const server = spawn(PROGRAM, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>(resolve => server.stdout.once('data', chunk => resolve(String(chunk))));
  const { address } = JSON.parse(line) as { address: string };
  return { port: Number(new URL(address).port), server };
}

async function startSink(): Promise<{ port: number; process: ChildProcess }> {
  const child = spawn(process.execPath, [sinkScript], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>(resolve => child.stdout.once('data', chunk => resolve(String(chunk))));
  const { port } = JSON.parse(line) as { port: number };
  return { port, process: child };
}

export const limitsBench: Bench = {
  name: 'limits',
  page: 'load',
  title: 'Limits',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    await tidemark(folder, 'ingest', 'demo', '--store', 'sqlite:data/tidemark.db');
    const good = await key(folder, 'unlimited');
    const narrow = JSON.parse(
      await tidemark(folder, 'keys', 'create', '--tier', 'narrow', '--tiers', 'narrow: rate=1 burst=1', '--json'),
    ) as { key: string };
    const { port, server } = await serve(folder);
    const sink = await startSink();
    try {
      const request = { port, path: '/v1/crypto/ta-cur?limit=5', connections: 16, seconds: SECONDS };
      const asking = (headers: Record<string, string>, rate: number | null = null): LoadOptions => ({
        ...request,
        headers,
        rate,
      });
      const goodLoad = asking({ 'x-api-key': good });
      await runLoad({ ...goodLoad, seconds: 2 });
      const bad = (headers: Record<string, string>) => asking(headers, FLOOD);
      const floods: readonly (readonly [string, LoadOptions | null])[] = [
        ['alone', null],
        ['beside a flood of another process that refuses everything unread', { ...bad({}), port: sink.port }],
        ['beside a flood with an unknown key', bad({ 'x-api-key': newApiKey() })],
        ['beside a flood with a mistyped key', bad({ 'x-api-key': 'tdm_nonsense' })],
        ['beside a flood without a key', bad({})],
        ['beside a flood of a key above its rate', bad({ 'x-api-key': narrow.key })],
      ];
      const rows: string[] = [];
      let [alone, besideSink] = [Number.NaN, Number.NaN];
      const whole = (value: number) => Math.round(value).toLocaleString('en');
      for (const [name, options] of floods) {
        const [seen, flood] = await Promise.all([runLoad(goodLoad), options === null ? null : runLoad(options)]);
        if (options === null) alone = seen.perSecond;
        if (options?.port === sink.port) besideSink = seen.perSecond;
        const shares = [seen.perSecond / alone, seen.perSecond / besideSink].map(share =>
          Number.isNaN(share) ? '' : share.toFixed(2),
        );
        const flooded = flood === null ? ['', ''] : [whole(flood.sentPerSecond), whole(flood.perSecond)];
        const cells = [name, whole(seen.perSecond), ...shares, `${seen.p99.toFixed(1)} ms`, ...flooded];
        rows.push(`| ${cells.join(' | ')} |`);
        log(rows.at(-1)!);
      }
      return [
        `A client with an API key sends requests for 5 rows over 16 connections, each as soon as the one before is answered, while another process floods the server over 16 more: it sends up to ${FLOOD.toLocaleString('en')} requests per second without waiting for answers, up to 100 on each connection, and connects again when it is cut off. The server has a thread for each core; it and both load generators share the machine, so the second line shows what the flood costs when nothing of it reaches the server.`,
        '',
        '| the good key | answers/s | of alone | of the second line | p99 | flood: sent/s | answered/s |',
        '|---|--:|--:|--:|--:|--:|--:|',
        ...rows,
      ].join('\n');
    } finally {
      server.kill('SIGTERM');
      sink.process.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
