// The proxies that the docs have recipes for, each in front of a real server: a client cannot choose its address or the links.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, requireProgram } from '../../support/debian-program.ts';
import { freePort } from '../../support/postgres.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/how-to/deploy.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-proxies-'));
const store = `sqlite:${folder}/tidemark.db`;
const START_MS = 20_000;
const LISTING = '/v1/crypto/ta-cur?limit=1';

const FORGED = {
  forwarded: 'for=6.6.6.6;host=evil.example;proto=https',
  'x-forwarded-for': '6.6.6.6, 7.7.7.7',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
};

before(async () => {
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(folder, 'closes.csv'), `symbol,day,close\nAAA,${day},1\nBBB,${day},2\n`);
  await tidemark('ingest', 'csv', join(folder, 'closes.csv'), '--store', store);
});
after(() => rmSync(folder, { recursive: true }));

/** The blocks of a language, with the address of the server in them. */
function recipes(language: string, upstream: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, recipe = '']) =>
    recipe.replaceAll('127.0.0.1:8080', upstream),
  );
}

async function startProxy(
  t: TestContext,
  program: Program,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  url: string,
) {
  const child: ChildProcess = spawn(requireProgram(program), args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', words => {
      said += words;
    });
  t.after(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  });
  const giveUp = performance.now() + START_MS;
  while (
    !(await fetch(`${url}/healthz`)
      .then(answer => answer.ok)
      .catch(() => false))
  ) {
    assert.ok(performance.now() < giveUp && child.exitCode === null, `${program.title} did not start: ${said}`);
    await wait(20);
  }
}

/** From an address of its own, which no proxy has. */
async function asClient(url: string): Promise<string> {
  const asked = request(url, { localAddress: '127.0.0.2', headers: { ...FORGED, 'x-request-id': 'forged-1' } }).end();
  const [answer] = await once(asked, 'response');
  return text(answer);
}

interface Proxy {
  readonly program: Program;
  readonly trust: string;
  /** Writes its configuration; gives its arguments and environment. */
  configure(listen: string, upstream: string): Promise<{ args: string[]; env?: NodeJS.ProcessEnv }>;
}

const NGINX = { title: 'nginx', names: ['nginx'], package: 'nginx-light', variable: 'NGINX' };

function nginxFile(...servers: readonly string[]): string[] {
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    path,
    `daemon off; pid ${folder}/nginx.pid; events {}
     http { access_log off; ${temporary.join(' ')} ${servers.join('\n')} }`,
  );
  return ['-e', 'stderr', '-c', path];
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  HAProxy: {
    program: { title: 'HAProxy', names: ['haproxy'], package: 'haproxy', variable: 'HAPROXY' },
    trust: 'x-forwarded:1',
    configure: async (listen, upstream) => ({
      args: ['-db', '-f', join(root, 'deploy/haproxy.cfg')],
      env: { BIND: listen, SERVER_1: upstream, SERVER_2: upstream },
    }),
  },
  nginx: {
    program: NGINX,
    trust: 'x-forwarded:1',
    configure: async (listen, upstream) => {
      const [outer] = recipes('nginx', upstream);
      return { args: nginxFile(`server { listen ${listen}; ${outer} }`) };
    },
  },
  'nginx behind nginx': {
    program: NGINX,
    trust: 'x-forwarded:2',
    configure: async (listen, upstream) => {
      const between = `127.0.0.1:${await freePort()}`;
      const [[outer], [, inner]] = [recipes('nginx', between), recipes('nginx', upstream)];
      return { args: nginxFile(`server { listen ${listen}; ${outer} }`, `server { listen ${between}; ${inner} }`) };
    },
  },
  Caddy: {
    program: { title: 'Caddy', names: ['caddy'], package: 'caddy', variable: 'CADDY' },
    trust: 'x-forwarded:1',
    configure: async (listen, upstream) => {
      const [site] = recipes('caddy', upstream);
      const path = join(folder, 'Caddyfile');
      writeFileSync(path, `{\n admin off\n auto_https off\n}\nhttp://${listen} {\n${site}}\n`);
      return {
        args: ['run', '--adapter', 'caddyfile', '--config', path],
        env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      };
    },
  },
};

describe('behind a proxy, as the docs say', () => {
  for (const [name, { program, trust, configure }] of Object.entries(PROXIES)) {
    it(`${name}: the address and the links are the client's, whatever it writes into headers`, async t => {
      const server = await ServerProcess.start(
        '--store',
        store,
        '--open',
        '--workers',
        '1',
        '--log',
        'json',
        '--trust-proxy',
        trust,
      );
      t.after(() => server.stop());
      const listen = `127.0.0.1:${await freePort()}`;
      const { args, env = {} } = await configure(listen, new URL(server.url).host);
      await startProxy(t, program, args, { ...process.env, ...env }, `http://${listen}`);
      const { next }: { next: string } = JSON.parse(await asClient(`http://${listen}${LISTING}`));
      assert.ok(next.startsWith(`http://${listen}/`), next);
      assert.equal((await fetch(`http://${listen}/metrics`)).status, 404);
      const logged = () => server.stderr.split('\n').find(line => line.includes('"forged-1"'));
      while (logged() === undefined) await wait(10);
      assert.match(logged()!, /"address":"127\.0\.0\.2"/);
    });
  }
});
