// Runs the protocol's own programs against the demo: the conformance checks that a server of tools can meet, and the inspector's command
// line with every tool, over HTTP and over standard input and output. `node scripts/mcp-checks.ts`. Both come by npx, because together
// they are larger than all of the project's own dependencies.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyDemoStore } from '../test/support/demo-store.ts';
import { ServerProcess } from '../test/support/server-process.ts';

const run = promisify(execFile);
const CONFORMANCE = '@modelcontextprotocol/conformance@0.1.16';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
/** The others ask for tools, prompts and resources that only a test server has. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const CALLS = [
  ['screen_assets', 'limit=2'],
  ['search_assets', 'text=aldermoor'],
  ['get_asset', 'asset=ALDM'],
  ['get_history', 'asset=ALDM'],
  ['describe_columns', 'group=change'],
] as const;

async function npx(...args: string[]): Promise<string> {
  const { stdout } = await run('npx', ['-y', ...args]);
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), 'tidemark-mcp-'));
const path = join(folder, 'store.db');
await copyDemoStore(path);
const server = await ServerProcess.start('--open', '--store', `sqlite:${path}`, '--workers', '1');
const launcher = join(import.meta.dirname, 'launch.js');
try {
  for (const scenario of SCENARIOS) {
    const said = await npx(CONFORMANCE, 'server', '--url', `${server.url}/mcp`, '--scenario', scenario);
    process.stdout.write(`conformance ${scenario}: ${/Passed: .*/.exec(said)?.[0]}\n`);
  }
  for (const [way, target] of [
    ['HTTP', [`${server.url}/mcp`, '--transport', 'http']],
    ['stdio', [process.execPath, launcher, 'mcp', '--store', `sqlite:${path}`]],
  ] as const) {
    for (const [name, argument] of CALLS) {
      const call = ['--method', 'tools/call', '--tool-name', name, '--tool-arg', argument];
      const said = await npx(INSPECTOR, '--cli', ...target, ...call);
      const { content, isError } = JSON.parse(said.slice(said.indexOf('{'))) as {
        content: object[];
        isError?: boolean;
      };
      if (isError === true || content.length === 0) throw new Error(`${name} failed: ${said}`);
      process.stdout.write(`inspector, ${way}: ${name} answers\n`);
    }
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
