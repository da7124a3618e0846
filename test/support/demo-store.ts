// Stores of the simulated market, each loaded once for all test files: a file takes a copy instead of simulating the market again.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import { tidemark } from './server-process.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/demo-store');

/** The demo as of today; writes the file `path`, which `sqlite:PATH` opens. */
export async function copyDemoStore(path: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await copyPreparedStore('today', `${today}-all-columns`, path, async file => {
    const url = `sqlite:${file}`;
    await tidemark('ingest', 'demo', '--store', url);
    // Most servers of the demo are asked for an optional column, and each would compute them again.
    const store = await openStore(url);
    await addOptionalColumns(store);
    await store.close();
  });
  await noteLoad(`sqlite:${path}`);
}

/** As if the copy had been loaded just now: a server loads the demo anew once its last load is ten minutes old. */
async function noteLoad(url: string): Promise<void> {
  const store = await openStore(url);
  const outcome = { state: 'done', error: null, read: 0, inserted: 0, replaced: 0, unchanged: 0, rejected: 0 } as const;
  await store.updateLoad(await store.beginLoad('demo'), outcome);
  await store.close();
}

/** A copy of what `prepare` writes to the file that it gets. Of each kind, the cache keeps one. */
export async function copyPreparedStore(
  kind: string,
  variant: string,
  path: string,
  prepare: (file: string) => Promise<void>,
): Promise<void> {
  const name = `${kind}-${variant}-${sourcesHash()}.db`;
  await mkdir(cache, { recursive: true });
  // Sources that changed meanwhile delete the file again.
  while (!(await copied(join(cache, name), path))) {
    const lock = join(cache, `${name}.lock`);
    if (await take(lock)) {
      try {
        await prepareOnce(kind, name, prepare);
      } finally {
        await rm(lock, { force: true });
      }
    } else await wait(50);
  }
}

async function prepareOnce(kind: string, name: string, prepare: (file: string) => Promise<void>): Promise<void> {
  const stores = (await readdir(cache)).filter(each => each.startsWith(`${kind}-`) && each.endsWith('.db'));
  if (stores.includes(name)) return;
  const folder = await mkdtemp(join(cache, 'unfinished-'));
  await prepare(join(folder, name));
  await rename(join(folder, name), join(cache, name));
  await Promise.all(
    [folder, ...stores.map(each => join(cache, each))].map(each => rm(each, { recursive: true, force: true })),
  );
}

/** False if there is nothing to copy. */
async function copied(from: string, to: string): Promise<boolean> {
  return succeeded(copyFile(from, to), 'ENOENT');
}

/** False while another test file prepares the store. The lock of a process that was killed counts as none. */
async function take(lock: string): Promise<boolean> {
  if (await succeeded(writeFile(lock, String(process.pid), { flag: 'wx' }), 'EEXIST')) return true;
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
  } catch {
    await rm(lock, { force: true });
  }
  return false;
}

async function succeeded(work: Promise<unknown>, expected: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error; // file operations fail with codes
    return false;
  }
}

/** Other sources may simulate another market or store it in another form. */
function sourcesHash(): string {
  const hash = createHash('sha1');
  const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  for (const file of sources.sort()) hash.update(readFileSync(join(root, file)));
  return hash.digest('base64url').slice(0, 12);
}
