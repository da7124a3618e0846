// Why a port cannot be listened on, in plain words.

import type { Config } from '../config.ts';
import { PortLockedError } from '../serve/port-claim.ts';
import { CommandError } from './command.ts';

/** Does `work`, which opens the port of the configuration, and explains why that fails. */
export async function listenPort<T>({ host, port }: Pick<Config, 'host' | 'port'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PortLockedError) {
      throw new CommandError(
        `port ${port} is locked: another process holds the Unix socket ${error.lock}`,
        `Find the process with: ss -xlp | grep ${error.lock}`,
      );
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new CommandError(
        `port ${port} is taken: another program listens on it`,
        'Choose another port: tidemark serve --port 8081, or npm start -- --port 8081. --port 0 finds a free one.',
      );
    }
    if (code === 'EACCES') {
      throw new CommandError(`port ${port} needs more rights than this user has`, 'Choose a port above 1023.');
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandError(
        `${host} is not an address of this machine`,
        'Try --host 127.0.0.1, or --host 0.0.0.0 for every interface.',
      );
    }
    throw error;
  }
}
