// PgBouncer in front of the PostgreSQL of the tests, in one of its modes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Program, requireProgram } from './debian-program.ts';
import { freePort, type PostgresServer, ready } from './postgres.ts';
import { asNobody, giveToNobody } from './postgres-cluster.ts';

const PGBOUNCER: Program = {
  title: 'PgBouncer',
  names: ['pgbouncer'],
  package: 'pgbouncer',
  variable: 'PGBOUNCER',
};

export type PoolMode = 'session' | 'transaction' | 'statement';

/** The same URL through PgBouncer, which is stopped after the test. */
export async function throughPgBouncer(
  t: TestContext,
  url: string,
  server: Pick<PostgresServer, 'port' | 'user' | 'password'>,
  mode: PoolMode,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-pgbouncer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users'), `"${server.user}" "${server.password}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=127.0.0.1 port=${server.port}\n`;
  writeFileSync(join(folder, 'ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  giveToNobody(folder);
  const child = spawn(requireProgram(PGBOUNCER), [join(folder, 'ini')], {
    ...asNobody(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  t.after(async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true });
  });
  const through = Object.assign(new URL(url), { port }).href;
  await ready(through, () => `PgBouncer did not start: ${said}`);
  return through;
}
