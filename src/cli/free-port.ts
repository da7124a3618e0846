// The port to listen on, or in plain words why it cannot be had.

import { claimPort } from '../serve/supervisor.ts';
import { CommandError } from './command.ts';

export async function freePort(host: string, port: number): Promise<number> {
  try {
    return await claimPort(host, port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new CommandError(`port ${port} is taken`, 'Choose another with --port, or --port 0.');
    }
    if (code === 'EACCES') throw new CommandError(`port ${port} needs more rights`, 'Choose one from 1024 on.');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandError(`${host} is no address of this machine`, 'Try --host 127.0.0.1 or --host 0.0.0.0.');
    }
    throw error;
  }
}
