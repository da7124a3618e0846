// A machine whose clock is years behind: closes of its future are served, and warned of.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ServerProcess } from '../../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-clock-behind-'));
after(() => rmSync(folder, { recursive: true }));
const YEARS_MS = 6 * 365 * 86_400_000;

it('status and serve warn of closes in the future', async () => {
  const [file, clock, url] = [join(folder, 'a.csv'), join(folder, 'clock'), `sqlite:${join(folder, 'store.db')}`];
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, `symbol,day,close\nBTC,${day},1\n`);
  writeFileSync(clock, String(-YEARS_MS));
  const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
  const shifted = pathToFileURL(join(import.meta.dirname, '../../support/shifted-clock.ts')).href;
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [launcher, ...args, '--store', url], { encoding: 'utf8' });
  assert.equal(run('ingest', 'csv', file).status, 0);
  assert.doesNotMatch(run('status').stdout, /check the clock/);
  process.env['NODE_OPTIONS'] = `--import ${shifted}`;
  process.env['TIDEMARK_TEST_CLOCK'] = clock;
  assert.match(
    run('status').stdout,
    new RegExp(`the newest close is of ${day}, and the clock of this machine is on 20`),
  );
  const server = await ServerProcess.start('--open', '--workers', '1', '--log', 'json', '--store', url);
  assert.equal(await server.stop(), 0);
  assert.equal(server.stderr.match(/"event":"closes_of_the_future"/g)?.length, 1, server.stderr);
});
