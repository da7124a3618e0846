// Measures the npm package: its file, and what it occupies when it is installed, without ccxt and with it. Writes
// docs/reports/package.json. `npm run package-size`.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePackages } from './package.ts';

/** In MB of 1,000,000 bytes, as files occupy them on the disk. */
function installedMegabytes(...packages: string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-size-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...packages];
    const npm = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
    if (npm.status !== 0) throw new Error(`npm could not install ${packages.join(' ')}:\n${npm.stderr}`);
    const { stdout } = spawnSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' });
    return megabytes(Number(stdout.split('\t')[0]) * 1024);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}

const { program } = await makePackages(join(import.meta.dirname, '../package'));
const result = {
  tarballMegabytes: megabytes(statSync(program).size),
  installedMegabytes: installedMegabytes(program),
  installedWithCcxtMegabytes: installedMegabytes(program, 'ccxt'),
};
writeFileSync(join(import.meta.dirname, '../docs/reports/package.json'), `${JSON.stringify(result, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(result)}\n`);
