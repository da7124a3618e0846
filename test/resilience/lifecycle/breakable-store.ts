// Stores that can be taken away from a running server, and given back.

import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freshPostgresUrl } from '../../support/postgres.ts';

export interface BreakableStore {
  /** As the server is told. */
  readonly url: string;
  /** By which a test reaches it at any time. */
  readonly direct: string;
  takeAway(): Promise<void>;
  giveBack(): Promise<void>;
  close(): Promise<void>;
}

/** The file is exchanged for a folder. A server that has it open does not notice: it must be started anew. */
export function breakableSqlite(folder: string): BreakableStore {
  const [path, aside] = [join(folder, 'store.db'), join(folder, 'aside.db')];
  const parts = ['', '-wal', '-shm'];
  const move = (from: string, to: string) => {
    for (const part of parts) if (existsSync(from + part)) renameSync(from + part, to + part);
  };
  return {
    url: `sqlite:${path}`,
    direct: `sqlite:${path}`,
    takeAway: async () => {
      move(path, aside);
      mkdirSync(path);
    },
    giveBack: async () => {
      rmdirSync(path);
      move(aside, path);
    },
    close: async () => {},
  };
}

/** A gate before the database, which can be shut. */
export async function breakablePostgres(): Promise<BreakableStore> {
  const direct = await freshPostgresUrl();
  const behind = new URL(direct);
  const lines = new Set<Socket>();
  const gate: Server = createServer(line => {
    const onward = connect(Number(behind.port), behind.hostname);
    for (const [from, to] of [
      [line, onward],
      [onward, line],
    ] as const) {
      lines.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const open = async (port: number) => {
    gate.listen(port, '127.0.0.1');
    await once(gate, 'listening');
  };
  await open(0);
  const address = gate.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const shut = async () => {
    const closed = once(gate, 'close');
    gate.close();
    for (const line of lines) line.destroy();
    lines.clear();
    await closed;
  };
  const url = new URL(direct);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    direct,
    takeAway: shut,
    giveBack: () => open(port),
    close: async () => {
      if (gate.listening) await shut();
    },
  };
}
