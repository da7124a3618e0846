// Measures what a new user waits for: clones the last commit into a temporary folder, starts the demo there, and writes the installed
// size and the time to the first response into docs/reports/install.json. `npm run install-size`.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const PORT = 20_000 + (process.pid % 20_000);
const GIVE_UP_MS = 600_000;

/** In MB of 1,000,000 bytes, as files occupy them on the disk. */
function folderMegabytes(path: string): number {
  const { stdout } = spawnSync('du', ['-sk', path], { encoding: 'utf8' });
  return Math.round((Number(stdout.split('\t')[0]) * 1024) / 1e6);
}

async function firstResponse(): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (performance.now() < end) {
    const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error('the server did not become ready');
}

async function secondsToReady(clone: string): Promise<number> {
  const began = performance.now();
  const server = spawn('npm', ['start', '--', '--port', String(PORT)], { cwd: clone, stdio: 'ignore', detached: true });
  try {
    await firstResponse();
    return Math.round((performance.now() - began) / 1000);
  } finally {
    process.kill(-server.pid!, 'SIGTERM'); // the whole group: npm, the shell and the server
    await new Promise(resolve => server.once('exit', resolve));
  }
}

const clone = join(mkdtempSync(join(tmpdir(), 'tidemark-install-')), 'tidemark');
try {
  spawnSync('git', ['clone', '--quiet', root, clone]);
  const firstStart = await secondsToReady(clone);
  const installed = folderMegabytes(join(clone, 'node_modules'));
  const secondStart = await secondsToReady(clone);
  const result = { megabytes: installed, firstStartSeconds: firstStart, secondStartSeconds: secondStart };
  writeFileSync(join(root, 'docs/reports/install.json'), `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  rmSync(join(clone, '..'), { recursive: true, force: true });
}
