// PostgreSQL servers that can be killed, started again and promoted: each in its own process, with a data folder of its own.
// As in postgres.ts, a shell watches over each and ends it with this process.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyPrograms, freePort, ready, runSql } from './postgres.ts';
import { asNobody, copyCluster, giveToNobody, PASSWORD, USER } from './postgres-cluster.ts';

const DATABASE = 'postgres';
/** What is committed survives the death of processes here, not of the machine. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_wal_senders=4',
  'wal_level=replica',
  'hot_standby=on',
  'wal_retrieve_retry_interval=100ms',
];

/** $1 programs, $2 data folder, $3 log, the rest settings. */
const WATCH = `
  programs=$1 data=$2 log=$3; shift 3
  "$programs/bin/postgres" -D "$data" "$@" >>"$log" 2>&1 &
  server=$!
  cat >/dev/null
  kill -INT $server
  wait $server
`;

export class PostgresNode {
  readonly port: number;
  readonly #folder: string;
  readonly #data: string;
  readonly #standbys: PostgresNode[] = [];
  #watch: ChildProcess | null = null;

  /** A primary of its own, started. */
  static async primary(): Promise<PostgresNode> {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-node-'));
    copyPrograms(join(folder, 'native'));
    giveToNobody(folder);
    const node = new PostgresNode(folder, 'data-0', await freePort());
    copyCluster(join(folder, 'native'), folder, node.#data);
    await node.start();
    return node;
  }

  private constructor(folder: string, name: string, port: number) {
    this.#folder = folder;
    this.#data = join(folder, name);
    this.port = port;
  }

  get url(): string {
    return urlOf([this]);
  }

  /** A hot standby of this node, started; commits of this node wait until all its standbys show them. */
  async withStandby(): Promise<PostgresNode> {
    await this.stop();
    const port = await freePort();
    const standby = new PostgresNode(this.#folder, `data-${port}`, port);
    cpSync(this.#data, standby.#data, { recursive: true, preserveTimestamps: true });
    const from = `host=127.0.0.1 port=${this.port} user=${USER} password=''${PASSWORD}''`;
    appendFileSync(join(standby.#data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
    writeFileSync(join(standby.#data, 'standby.signal'), '');
    execFileSync('chmod', ['700', standby.#data]);
    giveToNobody(standby.#data);
    await this.start();
    await standby.start();
    this.#standbys.push(standby);
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${this.#standbys.length} (*)'`);
    await this.query(`ALTER SYSTEM SET synchronous_commit = 'remote_apply'`);
    await this.query('SELECT pg_reload_conf()');
    return standby;
  }

  async start(): Promise<void> {
    const settings = [...SETTINGS, `port=${this.port}`].flatMap(setting => ['-c', setting]);
    const log = join(this.#folder, 'log');
    this.#watch = spawn('sh', ['-c', WATCH, 'sh', join(this.#folder, 'native'), this.#data, log, ...settings], {
      ...asNobody(),
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    await ready(this.url, () => (existsSync(log) ? readFileSync(log, 'utf8') : 'it wrote no log'));
  }

  /** In order. */
  async stop(): Promise<void> {
    const watch = this.#watch;
    if (watch === null) return;
    this.#watch = null;
    const closed = once(watch, 'close');
    watch.stdin!.end();
    await closed;
  }

  /** At once, as when the machine is switched off. */
  async kill(): Promise<void> {
    const pid = this.#pid();
    process.kill(pid, 'SIGKILL');
    await this.stop();
    // Its children end by themselves when they find it gone.
    for (let tries = 0; tries < 200 && existsSync(`/proc/${pid}`); tries++) await wait(10);
  }

  /** It answers no more, and its connections stay: as when its disk hangs, or its machine is switched off. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#pid();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    // The parent first: it would start others.
    process.kill(pid, signal);
    for (const child of children) {
      // The parent may be done with one by now.
      if (existsSync(`/proc/${child}`)) process.kill(child, signal);
    }
  }

  #pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Commits wait for the standby no more, and the standby shows none of them until `catchUp`. */
  async leaveBehind(standby: PostgresNode): Promise<void> {
    await this.query(`ALTER SYSTEM SET synchronous_commit = 'local'`);
    await this.query('SELECT pg_reload_conf()');
    await standby.query('SELECT pg_wal_replay_pause()');
  }

  async catchUp(): Promise<void> {
    await this.query('SELECT pg_wal_replay_resume()');
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 30)');
  }

  async query(text: string): Promise<void> {
    await runSql(this.url, text);
  }

  /** Stops it and its standbys, and deletes everything of them. */
  async remove(): Promise<void> {
    for (const node of [...this.#standbys, this]) await node.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

export function urlOf(nodes: readonly PostgresNode[]): string {
  const hosts = nodes.map(node => `127.0.0.1:${node.port}`).join();
  return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@${hosts}/${DATABASE}`;
}
