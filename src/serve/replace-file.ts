// Replaces a file in one step: a reader finds the old content or the new, whatever happens to the writer.

import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../common/is-alive.ts';

/** Only its owner may read it: hashes of API keys and data that may have been paid for. */
const MODE = 0o600;

export async function replaceFile(path: string, content: string | readonly Uint8Array[]): Promise<void> {
  const aside = `${path}.${process.pid}.partial`;
  await mkdir(dirname(path), { recursive: true });
  await removeUnfinished(path);
  // Whatever has its name: to open a FIFO would wait for a reader.
  await rm(aside, { force: true });
  const file = await open(aside, 'wx', MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(aside, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/** A server that was killed while it wrote has left its unfinished file behind. */
async function removeUnfinished(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(start) ? /^(\d+)\.partial$/.exec(name.slice(start.length))?.[1] : undefined;
    // What cannot be removed, such as a folder, is in nobody's way.
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true }).catch(() => {});
  }
}
