// Benchmark of MCP tool calls (`POST /mcp`) beside the same queries over REST, on one serving thread.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from '../http/store.ts';
import { load, type Measured, requireWrk } from '../http/wrk.ts';
import { PROGRAM } from '../program.ts';
import type { Bench } from '../report.ts';

const ASSETS = 10_000;
const SECONDS = 5;
const CONNECTIONS = 32;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The service leaves a call with a member that few clients send to the official library. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const BY_LIBRARY = { ...META, [CLIENT_INFO]: { ...META[CLIENT_INFO], title: 'Bench' } };
const MODERN = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'screen_assets' };
const LEGACY = { 'MCP-Protocol-Version': '2025-11-25' };

/** One condition, or a hundred different ones in turn. */
function conditions(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `price > sma50 and change7 > ${i / 100}`);
}

function restPath(where: string): string {
  return `/v1/crypto/ta-cur?where=${encodeURIComponent(where)}&sort=change7&order=desc&limit=20`;
}

function toolCall(where: string, meta: object): string {
  const params = { name: 'screen_assets', arguments: { where, sort: 'change7' }, ...meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

export const mcpBench: Bench = {
  name: 'mcp',
  page: 'main',
  title: 'Tools for agents',
  async run(log) {
    requireWrk();
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    const store = `sqlite:${join(folder, 'store.db')}`;
    await fillStore(store, ASSETS);
    const args = ['serve', '--open', '--port', '0', '--json', '--workers', '1', '--store', store];
    const server = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const line = await new Promise<string>(resolve => server.stdout.once('data', chunk => resolve(String(chunk))));
      const { address: url } = JSON.parse(line) as { address: string };
      const common = { url, connections: CONNECTIONS, seconds: SECONDS };
      const rows: string[] = [];
      for (const [name, count] of [
        ['one query', 1],
        ['100 different queries in turn', 100],
      ] as const) {
        const wheres = conditions(count);
        const rest = () => load(folder, { ...common, headers: {}, paths: wheres.map(restPath) });
        const tool = (headers: Record<string, string>, meta: object) => {
          const bodies = wheres.map(where => toolCall(where, meta));
          const all = { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
          return load(folder, { ...common, headers: all, paths: ['/mcp'], bodies });
        };
        await rest();
        await tool(MODERN, { _meta: META });
        await tool(MODERN, { _meta: BY_LIBRARY });
        const measured: [string, Measured][] = [
          ['REST', await rest()],
          ['`screen_assets`, 2026-07-28', await tool(MODERN, { _meta: META })],
          ['`screen_assets`, 2026-07-28, by the library', await tool(MODERN, { _meta: BY_LIBRARY })],
          ['`screen_assets`, 2025-11-25', await tool(LEGACY, {})],
        ];
        const base = measured[0]![1].perSecond;
        for (const [way, { perSecond, p99 }] of measured) {
          const rate = Math.round(perSecond).toLocaleString('en');
          rows.push(`| ${name} | ${way} | ${rate} | ${(perSecond / base).toFixed(2)} | ${p99.toFixed(1)} ms |`);
          log(rows.at(-1)!);
        }
      }
      return [
        `A condition over ${ASSETS.toLocaleString('en')} assets, sorted, 20 rows: the same query over REST and as a call of a tool, on one serving thread with ${CONNECTIONS} connections. “By the library”: what a call takes that the service does not answer itself, such as one with a title of the client.`,
        '',
        '| queries | way | answers/s | of REST | p99 |',
        '|---|---|--:|--:|--:|',
        ...rows,
      ].join('\n');
    } finally {
      server.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
