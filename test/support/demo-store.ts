// The store of the demo as of today, loaded once for all test files: each takes a copy instead of simulating the market again.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tidemark } from './server-process.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/demo-store');

/** Writes the file `path`, which `sqlite:PATH` opens. */
export async function copyDemoStore(path: string): Promise<void> {
  const name = `${new Date().toISOString().slice(0, 10)}-${sourcesHash()}.db`;
  await mkdir(cache, { recursive: true });
  const kept = (await readdir(cache)).filter(each => each.endsWith('.db'));
  if (!kept.includes(name)) {
    await load(name);
    await Promise.all(kept.map(each => rm(join(cache, each), { force: true })));
  }
  await copyFile(join(cache, name), path);
}

/** Two files may start at once: each loads its own, and the later one takes the place of its equal. */
async function load(name: string): Promise<void> {
  const folder = await mkdtemp(join(cache, 'loading-'));
  await tidemark('ingest', 'demo', '--store', `sqlite:${join(folder, name)}`);
  await rename(join(folder, name), join(cache, name));
  await rm(folder, { recursive: true });
}

/** Other sources may simulate another market or store it in another form. */
function sourcesHash(): string {
  const hash = createHash('sha1');
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return hash.digest('base64url').slice(0, 12);
}
