// The demo in a process of its own, for a suite that asks a server.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDemoStore } from '../../test/support/demo-store.ts';
import { ServerProcess } from '../../test/support/server-process.ts';

export async function withDemo<T>(use: (url: string, storeUrl: string, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-conformance-'));
  const store = join(folder, 'store.db');
  await copyDemoStore(store);
  const server = await ServerProcess.start('--open', '--store', `sqlite:${store}`, '--workers', '1');
  try {
    return await use(server.url, `sqlite:${store}`, folder);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
