// Prepares a fresh or updated clone: installs the dependencies if the lock file is newer than the last installation, and builds the
// explorer if its sources are newer than the last build. `--dev` also installs what only tests and benchmarks need.
// Plain JavaScript without newer syntax, because the machine's own Node runs it before the project's Node is there.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
/** npm writes it at the end of every installation. */
const installed = join(root, 'node_modules', '.package-lock.json');

/** Exists while a process makes the clone ready, and holds its number: two that install at once would delete each other's files. */
const taken = join(root, '.installing');

const page = join(root, 'web');
/** The explorer contains the client, and parts of src/common. */
const contained = [join(root, 'client', 'src'), join(root, 'src', 'common')];
const built = join(page, 'dist', 'index.html');

const dev = process.argv.includes('--dev');
/** A package that is installed with `--dev` only. */
const devPackage = join(root, 'node_modules', 'typescript');

function upToDate() {
  if (dev && !existsSync(devPackage)) return false;
  return existsSync(installed) && statSync(installed).mtimeMs > statSync(lock).mtimeMs;
}

function install() {
  const began = Date.now();
  process.stderr.write('tidemark: installing dependencies (first run, or the lock file changed) …\n');
  // An update keeps the development packages of a clone that has them.
  const omit = dev || existsSync(devPackage) ? [] : ['--omit=dev'];
  const npm = spawnSync('npm', ['ci'].concat(omit, ['--no-audit', '--no-fund', '--loglevel=error']), {
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

function pageUpToDate() {
  if (!existsSync(built)) return false;
  const time = statSync(built).mtimeMs;
  return [lock].concat(filesBelow(page), ...contained.map(filesBelow)).every(file => statSync(file).mtimeMs <= time);
}

/**
 * Without what was built.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce(
    (files, entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return files.concat(path);
      return path === dirname(built) ? files : files.concat(filesBelow(path));
    },
    /** @type {string[]} */ ([]),
  );
}

function buildPage() {
  process.stderr.write('tidemark: building the explorer …\n');
  const ownNode = join(root, 'node_modules', '.bin', 'node');
  const node = existsSync(ownNode) ? ownNode : process.execPath;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { error, status } = spawnSync(node, [vite, 'build', page, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (error || status !== 0) {
    process.stderr.write(
      'tidemark: could not build the explorer; the reason is above. Mend web/ and run the command again.\n',
    );
    process.exit(1);
  }
}

/** False while another process has it. */
function take() {
  try {
    writeFileSync(taken, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!existsSync(taken)) throw error;
    return false;
  }
}

function give() {
  rmSync(taken, { force: true });
}

/** The process that had it was killed. */
function isForgotten() {
  try {
    process.kill(Number(readFileSync(taken, 'utf8')), 0);
    return false;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'ESRCH';
  }
}

/**
 * One at a time, and only what is still to be done then.
 * @param {() => boolean} isDone
 * @param {() => void} work
 */
function once(isDone, work) {
  let announced = false;
  while (!isDone()) {
    if (take()) {
      process.once('exit', give);
      if (!isDone()) work();
      give();
      return;
    }
    if (!announced) process.stderr.write('tidemark: another command is installing; waiting for it …\n');
    announced = true;
    if (isForgotten()) give();
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

once(upToDate, install);
checkNode();
once(pageUpToDate, buildPage);
