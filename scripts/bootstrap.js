// Makes a fresh or updated clone ready: installs the dependencies when the lock file is not the one they were installed
// from. Plain JavaScript without newer syntax, because the machine's own Node runs it before the project's Node is there.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
const stamp = join(root, 'node_modules', '.installed-lock.json');

function upToDate() {
  return existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock));
}

function install() {
  const began = Date.now();
  process.stderr.write('tidemark: installing dependencies (first run, or the lock file changed) …\n');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (npm.error || npm.status !== 0) {
    const reason = npm.error ? npm.error.message : `npm ended with code ${npm.status}`;
    process.stderr.write(`tidemark: could not install dependencies: ${reason}.\n`);
    process.stderr.write(
      '          npm says why above. Is a registry reached (npm ping)? Then run the same command again.\n',
    );
    process.exit(1);
  }
  copyFileSync(lock, stamp);
  process.stderr.write(`tidemark: dependencies ready in ${((Date.now() - began) / 1000).toFixed(0)} s\n`);
}

/** Where npm has no Node for this machine, the machine's own must do. */
function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (existsSync(join(root, 'node_modules', '.bin', 'node')) || major >= 24) return;
  process.stderr.write(
    `tidemark: needs Node.js 24 or newer, but this is ${process.versions.node}, and npm brings none for ` +
      `${process.platform} ${process.arch}. Install a newer Node.js.\n`,
  );
  process.exit(1);
}

if (!upToDate()) install();
checkNode();
