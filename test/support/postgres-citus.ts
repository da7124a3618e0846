// New databases on a Citus cluster that the environment names. A test cannot bring Citus along: no package that it could install has it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { runSql } from './postgres.ts';

/** A database on the coordinator that has the extension, with the workers added; its user may create databases on every node. */
const CLUSTER = process.env['TIDEMARK_TEST_CITUS'];
/** Why there is no cluster; null where there is one. */
export const NO_CITUS: string | null =
  CLUSTER === undefined ? 'TIDEMARK_TEST_CITUS names no database on a Citus coordinator' : null;

const SETUP = readFileSync(join(import.meta.dirname, '../../deploy/citus/setup.sql'), 'utf8');
/** Enough for some shards on each worker; the usual 32 make each of many small databases slow. */
const SHARDS = 4;

export interface Node {
  readonly host: string;
  readonly port: number;
}

export function workers(): Promise<Node[]> {
  const text = `
    SELECT nodename AS host, nodeport AS port FROM pg_dist_node
    WHERE groupid <> 0 AND noderole = 'primary' ORDER BY nodeport`;
  return runSql<Node>(CLUSTER!, text); // asked only where there is one
}

const made: string[] = [];

/** Drops the databases that `freshCitusUrl` made. */
export async function dropCitusDatabases(): Promise<void> {
  for (const url of made) {
    const { pathname } = new URL(CLUSTER!);
    await runSql(
      Object.assign(new URL(url), { pathname }).href,
      `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`,
    );
  }
}

/** The URL of a new, distributed store, as docs/how-to/citus.md makes it; `reach` says where the coordinator finds a worker. */
export async function freshCitusUrl(reach = async (node: Node): Promise<Node> => node): Promise<string> {
  const coordinator = new URL(CLUSTER!); // asked only where there is one
  const name = `tidemark_test_${process.pid}_${made.length}`;
  const nodes = await workers();
  const urlOn = ({ host, port }: Node) =>
    Object.assign(new URL(coordinator), { hostname: host, port, pathname: name }).href;
  const url = urlOn({ host: coordinator.hostname, port: Number(coordinator.port) });
  for (const at of [url, ...nodes.map(urlOn)]) {
    await runSql(Object.assign(new URL(at), { pathname: coordinator.pathname }).href, `CREATE DATABASE ${name}`);
    made.push(at);
    await runSql(at, 'CREATE EXTENSION citus');
  }
  await runSql(url, `SELECT citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`);
  for (const node of nodes) {
    const { host, port } = await reach(node);
    await runSql(url, `SELECT citus_add_node('${host}', ${port})`);
  }
  await (await openStore(url)).close();
  await runSql(url, `SET citus.shard_count = ${SHARDS}; ${SETUP}`);
  return url;
}
