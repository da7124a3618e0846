// Encrypted connections to PostgreSQL: `sslmode` means what it means to psql.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { requireProgram } from '../support/debian-program.ts';
import { runSql } from '../support/postgres.ts';
import { giveToNobody } from '../support/postgres-cluster.ts';
import { PostgresNode } from '../support/postgres-nodes.ts';

const OPENSSL = { title: 'OpenSSL', names: ['openssl'], package: 'openssl', variable: 'OPENSSL' };

describe('a PostgreSQL that can encrypt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-tls-'));
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
  let node: PostgresNode;
  let hba = '';

  before(async () => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync(requireProgram(OPENSSL), [...made, ...subject], { stdio: 'ignore' });
    execFileSync('chmod', ['600', key]);
    giveToNobody(folder);
    node = await PostgresNode.primary();
    for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: cert, ssl_key_file: key })) {
      await node.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
    const [found] = await runSql<{ hba_file: string }>(node.url, 'SHOW hba_file');
    hba = found!.hba_file;
  });
  after(async () => {
    await node.remove();
    rmSync(folder, { recursive: true });
  });

  /** The test itself connects to another database, which is always accepted. */
  const control = () => Object.assign(new URL(node.url), { pathname: '/template1' }).href;

  /** Which connections it accepts: hostssl or hostnossl. */
  async function accept(kind: string): Promise<void> {
    const method = 'all 127.0.0.1/32 scram-sha-256';
    writeFileSync(hba, `host template1 ${method}\n${kind} all ${method}\n`);
    const loaded = async () =>
      `${(await runSql<{ at: Date }>(control(), 'SELECT pg_conf_load_time() AS at'))[0]?.at.getTime()}`;
    const before = await loaded();
    await runSql(control(), 'SELECT pg_reload_conf()');
    // A new connection shows what the server has read.
    while ((await loaded()) === before) await wait(10);
  }

  const urlWith = (query: string, host = '127.0.0.1') =>
    `${Object.assign(new URL(node.url), { hostname: host }).href}${query}`;

  /** What the server says of the connections of a store: whether they are encrypted. */
  async function encryption(url: string): Promise<unknown> {
    const store = await openStore(url);
    try {
      const rows = await runSql<{ ssl: boolean }>(
        control(),
        `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tidemark'`,
      );
      return rows.map(row => row.ssl);
    } finally {
      await store.close();
    }
  }

  it('is used with encryption without being asked, also where it accepts nothing else', async () => {
    await accept('hostssl');
    assert.deepEqual(await encryption(urlWith('')), [true]);
    assert.deepEqual(await encryption(urlWith('?sslmode=require')), [true]);
  });

  it('is used without encryption where it accepts nothing else, unless encryption is required', async () => {
    await accept('hostnossl');
    assert.deepEqual(await encryption(urlWith('')), [false]);
    await assert.rejects(openStore(urlWith('?sslmode=require')), {
      code: 'unreachable',
      message: /pg_hba\.conf entry/,
    });
  });

  it('shows what it says of a connection that it refuses', async () => {
    await accept('hostssl');
    await assert.rejects(openStore(urlWith('?sslmode=disable')), {
      code: 'unreachable',
      message: /no pg_hba\.conf entry for host .*no encryption/,
      hint: /sslmode=require/,
    });
    const other = Object.assign(new URL(node.url), { username: 'nobody' }).href;
    await assert.rejects(openStore(other), { code: 'unreachable', message: /authentication failed for user "nobody"/ });
  });

  it('has its certificate checked with verify-ca and verify-full only', async () => {
    await accept('hostssl');
    const root = `sslrootcert=${cert}`;
    assert.deepEqual(await encryption(urlWith(`?sslmode=verify-full&${root}`, 'localhost')), [true]);
    assert.deepEqual(await encryption(urlWith(`?sslmode=verify-ca&${root}`)), [true]);
    assert.deepEqual(await encryption(urlWith(`?sslmode=require&${root}`)), [true]);
    await assert.rejects(openStore(urlWith(`?sslmode=verify-full&${root}`)), {
      code: 'unreachable',
      message: /certificate of another host/,
      hint: /as the certificate names it/,
    });
    await assert.rejects(openStore(urlWith('?sslmode=verify-full', 'localhost')), {
      code: 'unreachable',
      message: /certificate that is not trusted \([^;]*\)$/,
      hint: /sslrootcert=FILE/,
    });
  });
});
