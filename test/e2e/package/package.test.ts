// The npm package as people get it: packed, installed into an empty folder from the registry, and run there on Node.js 24.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makePackages } from '../../../scripts/package.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

const folder = mkdtempSync(join(tmpdir(), 'tidemark-package-'));
/** Has `node`, which is the one that runs this test, and nothing else. */
const bin = join(folder, 'bin');
const project = join(folder, 'project');
const installed = join(project, 'node_modules/tidemark');
const program = join(project, 'node_modules/.bin/tidemark');
const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
const servers: ChildProcess[] = [];

/** What npm tells the programs that it starts, such as this test, is not for those that the test starts. */
for (const name of Object.keys(env)) if (/^npm_(?:command|lifecycle|package)/.test(name)) delete env[name];

before(async () => {
  const { program: tarball } = await makePackages(join(folder, 'packages'));
  mkdirSync(bin);
  mkdirSync(project);
  symlinkSync(process.execPath, join(bin, 'node'));
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeFileSync(
    join(project, 'closes.csv'),
    [
      'symbol,date,close',
      ...Array.from({ length: 28 }, (_, i) => `ABC,2026-02-${String(i + 1).padStart(2, '0')},${100 + i}`),
    ].join('\n'),
  );
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env });
});
after(async () => {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const tidemark = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  run(program, args, { cwd: project, env: { ...env, ...more } });

interface Served {
  readonly url: string;
  readonly log: () => string;
  stop(): Promise<number | null>;
}

async function serve(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Served> {
  // Not by npx: a signal to npm ends the shell between it and the program, and not the program.
  const flags = ['--json', '--port', '0', '--open', '--log', 'json'];
  const server = spawn(program, ['serve', ...flags, ...args], {
    cwd: project,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  servers.push(server);
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(server, 'exit');
  for await (const line of createInterface({ input: server.stdout })) {
    const stop = async () => {
      server.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    };
    return { url: JSON.parse(line).address, log: () => log, stop };
  }
  throw new Error(`the server ended before it listened: ${log}`);
}

interface Rows {
  readonly result: readonly { readonly symbol: string; readonly sma5: number }[];
}

/** Of other packages. */
const BUNDLE = 'src/mcp/sdk.js';

describe('the package', () => {
  it('has compiled JavaScript with source maps, and neither sources nor tests', () => {
    const files = globSync('**/*', { cwd: installed, withFileTypes: true }).filter(each => each.isFile());
    const names = files.map(({ name }) => name);
    assert.deepEqual(
      names.filter(name => /\.tsx?$|\.test\./.test(name)),
      [],
    );
    for (const module of globSync('src/**/*.js', { cwd: installed })) {
      const text = readFileSync(join(installed, module), 'utf8');
      const [, map] = /\/\/# sourceMappingURL=(.+)$/m.exec(text) ?? [];
      assert.doesNotMatch(text, /\b(?:from|import)\b *\(?'[^']*\.ts'/, module);
      if (map === undefined) assert.ok(module === BUNDLE || existsSync(join(root, module)), `${module} is compiled`);
      else assert.ok(names.includes(map), module);
    }
    assert.ok(files.length > 200);
  });

  it('installs production dependencies only, without ccxt and without scripts that run at the installation', () => {
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: true; dev?: true }>;
    };
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    assert.deepEqual(scripted, []);
    assert.equal('node_modules/ccxt' in packages, false);
    assert.equal('node_modules/vite' in packages, false);
    assert.equal('node_modules/zod' in packages, false);
    assert.equal('node_modules/pg' in packages, true);
  });

  it('names itself as it was typed', async () => {
    const { stdout } = await run('npx', ['--no-install', 'tidemark', 'help', 'keys'], { cwd: project, env });
    assert.match(stdout, /^.*npx tidemark keys create/m);
    const help = await tidemark(['help', 'keys']);
    assert.match(help.stdout, /node_modules\/\.bin\/tidemark keys create/);
    const global = await run('tidemark', ['help', 'keys'], {
      env: { ...env, PATH: `${join(project, 'node_modules/.bin')}:${env['PATH']}` },
    });
    assert.match(global.stdout, /^ *tidemark keys create/m);
  });

  it('says in one line that a Node is too old', async () => {
    const older = join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { node: '22.1.0' } });");
    await assert.rejects(tidemark(['--version'], { NODE_OPTIONS: `--require=${older}` }), (error: unknown) => {
      const { code, stderr } = error as { code: number; stderr: string }; // of execFile
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^tidemark: needs Node\.js 24 or newer, but this is 22\.1\.0\. Install a newer Node\.js\. .*\n$/,
      );
      return true;
    });
  });

  for (const args of [
    ['ccxt', '--exchange', 'kraken', '--quote', 'USD'],
    ['live', '--exchange', 'kraken'],
  ]) {
    it(`asks for ccxt at ingest ${args[0]}`, async () => {
      await assert.rejects(tidemark(['ingest', ...args]), (error: unknown) => {
        const { code, stderr } = error as { code: number; stderr: string }; // of execFile
        assert.equal(code, 1);
        assert.match(stderr, /exchanges need the ccxt library, which is not installed\n.*npm install ccxt/);
        return true;
      });
    });
  }
});

describe('in the package', () => {
  const store = ['--store', `sqlite:${join(folder, 'store.db')}`];

  it('ingest, status, verify, backup and restore work', async () => {
    await tidemark(['ingest', 'csv', 'closes.csv', ...store]);
    const status = JSON.parse((await tidemark(['status', '--json', ...store])).stdout);
    assert.equal(status.bars, 28);
    assert.match((await tidemark(['verify', ...store])).stdout, /\b0 differ|no difference/i);
    await tidemark(['backup', join(folder, 'a.backup'), ...store]);
    await tidemark(['restore', join(folder, 'a.backup'), '--store', `sqlite:${join(folder, 'other.db')}`]);
    await tidemark(['verify', '--store', `sqlite:${join(folder, 'other.db')}`]);
  });

  it('serve has the rows, the explorer and the reference, in several threads', async () => {
    const server = await serve(['--workers', '2', ...store]);
    const answer = await fetch(`${server.url}/v1/crypto/ta-cur`);
    const { result } = (await answer.json()) as Rows; // the envelope
    assert.deepEqual(
      result.map(({ symbol, sma5 }) => [symbol, sma5]),
      [['ABC', 125]],
    );
    for (const path of [
      '/',
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/docs/reference.js',
      '/v1/openapi.json',
      '/readyz',
    ]) {
      assert.equal((await fetch(server.url + path)).status, 200, path);
    }
    const page = await (await fetch(server.url)).text();
    const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
    assert.equal((await fetch(server.url + script)).status, 200);
    assert.equal(await server.stop(), 0, server.log());
    assert.match(server.log(), /"event":"serving".*"threads":2\b/);
  });

  it('serve and mcp answer agents, with the library in the package', async () => {
    const server = await serve(store);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_asset', arguments: { asset: 'ABC' } },
    };
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    assert.match(await answer.text(), /\b127\b/);
    assert.equal(await server.stop(), 0, server.log());
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { ...call, id: 2 },
    ];
    const local = spawn(program, ['mcp', ...store], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
    servers.push(local);
    for (const line of lines) local.stdin.write(`${JSON.stringify(line)}\n`);
    for await (const line of createInterface({ input: local.stdout })) {
      if (JSON.parse(line).id !== 2) continue;
      assert.match(line, /\b127\b/);
      break;
    }
    local.stdin.end();
    assert.deepEqual(await once(local, 'exit'), [0, null]);
    const licenses = readFileSync(join(installed, `${BUNDLE}.LICENSE.txt`), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'zod']) assert.match(licenses, new RegExp(`^${name} \\d`, 'm'));
  });

  it('serve without data says how to load some, as the program was typed', async () => {
    const server = await serve(['--store', `sqlite:${join(folder, 'empty.db')}`]);
    const answer = await fetch(`${server.url}/v1/crypto/ta-cur`);
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /'[^']*node_modules\/\.bin\/tidemark ingest csv FILE'/);
    assert.equal(await server.stop(), 0, server.log());
  });

  it('serve has one thread where threads cannot share a port, as on macOS', async () => {
    const platform = join(folder, 'darwin.cjs');
    writeFileSync(platform, "Object.defineProperty(process, 'platform', { value: 'darwin' });");
    const server = await serve(['--workers', '4', ...store], {
      TIDEMARK_KEEP: 'off',
      NODE_OPTIONS: `--require=${platform}`,
    });
    assert.equal((await fetch(`${server.url}/v1/crypto/ta-cur`)).status, 200);
    const { port } = new URL(server.url);
    await assert.rejects(
      tidemark(['serve', '--port', port, '--open', ...store], { NODE_OPTIONS: `--require=${platform}` }),
      /is taken/,
    );
    assert.equal(await server.stop(), 0, server.log());
    assert.match(server.log(), /"event":"serving".*"threads":1\b/);
  });
});
