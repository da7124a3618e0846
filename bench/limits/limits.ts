// What a good client gets while bad requests rain beside it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newApiKey } from '../../src/domain/api-key.ts';
import type { LoadOptions, LoadResult } from '../load/generator.ts';
import type { Bench } from '../report.ts';

const run = promisify(execFile);
const launcher = join(import.meta.dirname, '../../scripts/launch.js');
const generator = join(import.meta.dirname, '../load/generator.ts');

const SECONDS = 6;
const FLOOD = 10_000;

async function tidemark(folder: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, [launcher, ...args], { cwd: folder })).stdout;
}

async function key(folder: string, tier: string): Promise<string> {
  const made = JSON.parse(await tidemark(folder, 'keys', 'create', '--tier', tier, '--json')) as { key: string };
  return made.key;
}

async function serve(folder: string): Promise<{ port: number; server: ChildProcess }> {
  const args = [launcher, 'serve', '--port', '0', '--json', '--tiers', 'narrow: rate=1 burst=1'];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>(resolve => server.stdout.once('data', chunk => resolve(String(chunk))));
  const { address } = JSON.parse(line) as { address: string };
  return { port: Number(new URL(address).port), server };
}

async function generate(options: LoadOptions): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [generator, JSON.stringify(options)]);
  return JSON.parse(stdout) as LoadResult;
}

export const limitsBench: Bench = {
  name: 'limits',
  title: 'Limits',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    await tidemark(folder, 'ingest', 'demo', '--store', 'sqlite:data/tidemark.db');
    const good = await key(folder, 'unlimited');
    const narrow = JSON.parse(
      await tidemark(folder, 'keys', 'create', '--tier', 'narrow', '--tiers', 'narrow: rate=1 burst=1', '--json'),
    ) as { key: string };
    const { port, server } = await serve(folder);
    try {
      const request = { port, path: '/v1/crypto/ta-cur?limit=5', connections: 16, seconds: SECONDS };
      const asking = (headers: Record<string, string>, rate: number | null = null): LoadOptions => ({
        ...request,
        headers,
        rate,
      });
      const goodLoad = asking({ 'x-api-key': good });
      await generate({ ...goodLoad, seconds: 2 });
      const floods: readonly (readonly [string, Record<string, string> | null])[] = [
        ['alone', null],
        [`beside ${FLOOD.toLocaleString('en')} requests a second with an unknown key`, { 'x-api-key': newApiKey() }],
        [`beside ${FLOOD.toLocaleString('en')} a second with a mistyped key`, { 'x-api-key': 'tdm_nonsense' }],
        [`beside ${FLOOD.toLocaleString('en')} a second without a key`, {}],
        [`beside ${FLOOD.toLocaleString('en')} a second of a key above its rate`, { 'x-api-key': narrow.key }],
      ];
      const rows: string[] = [];
      let alone = Number.NaN;
      for (const [name, headers] of floods) {
        const [seen, flood] = await Promise.all([
          generate(goodLoad),
          headers === null ? Promise.resolve(null) : generate(asking(headers, FLOOD)),
        ]);
        if (headers === null) alone = seen.perSecond;
        const refused = flood === null ? '' : Math.round(flood.perSecond).toLocaleString('en');
        const share = (seen.perSecond / alone).toFixed(2);
        const perSecond = Math.round(seen.perSecond).toLocaleString('en');
        rows.push(`| ${name} | ${perSecond} | ${share} | ${seen.p99.toFixed(1)} ms | ${refused} |`);
        log(rows.at(-1)!);
      }
      return [
        'A good key asks for 5 rows over 16 connections, as fast as answers come, while bad requests arrive beside it from another process. The server has one thread; it and the two load generators share the cores of the machine.',
        '',
        '| the good key | answers/s | of alone | p99 | bad requests refused/s |',
        '|---|--:|--:|--:|--:|',
        ...rows,
      ].join('\n');
    } finally {
      server.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
