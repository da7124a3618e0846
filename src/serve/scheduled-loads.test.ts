import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../store/open.ts';
import { ScheduledLoads } from './scheduled-loads.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-scheduled-'));
after(() => rmSync(folder, { recursive: true }));
const store = `sqlite:${join(folder, 'store.db')}`;

/** The process that has the word among its arguments. */
async function processWith(word: string): Promise<number> {
  for (;;) {
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word)) return Number(pid);
      } catch {} // it has ended meanwhile
    }
    await wait(20);
  }
}

describe('scheduled loads', () => {
  it('load, and say nothing when they went well', async () => {
    const file = join(folder, 'closes.csv');
    writeFileSync(file, 'symbol,day,close\nBTC,2026-01-01,1\n');
    const failed: string[] = [];
    await new ScheduledLoads(store, { onFailed: (_, reason) => failed.push(reason) }).run({
      argv: ['csv', file],
      interval: '1h',
    });
    assert.deepEqual(failed, []);
    const opened = await openStore(store);
    assert.equal((await opened.totals()).bars, 1);
    await opened.close();
  });

  it('keep bars for as long as the server does', async () => {
    const file = join(folder, 'minutes.csv');
    const rows = Array.from({ length: 3000 }, (_, i) => `BTC,${(1_790_000_040 + i * 60) * 1000},1\n`);
    writeFileSync(file, `symbol,time,close\n${rows.join('')}`);
    for (const [name, settings, isWhole] of [
      ['all.db', { 'retention-1m': 0 }, true],
      ['some.db', { 'retention-1m': 1 }, false],
    ] as const) {
      const url = `sqlite:${join(folder, name)}`;
      await new ScheduledLoads(url, { onFailed: (_, reason) => assert.fail(reason) }, settings).run({
        argv: ['csv', file],
        interval: '1h',
      });
      const opened = await openStore(url);
      const [minutes] = await opened.intervals();
      assert.equal(minutes!.bars === 3000, isWhole, `${minutes!.bars}`);
      await opened.close();
    }
  });

  it('tell what the load said that failed, or which signal ended it', async () => {
    const failed: string[] = [];
    const loads = new ScheduledLoads(store, {
      onFailed: (load, reason) => failed.push(`${load.split(' ')[0]}: ${reason}`),
    });
    await loads.run({ argv: ['csv', join(folder, 'none.csv')], interval: '1h' });
    assert.match(failed[0]!, /^csv: .*none\.csv/s);
    // Nothing is ever written into it.
    const pipe = join(folder, 'pipe.csv');
    execFileSync('mkfifo', [pipe]);
    const running = loads.run({ argv: ['csv', pipe], interval: '1h' });
    process.kill(await processWith(pipe), 'SIGKILL');
    await running;
    assert.match(failed[1]!, /ended by SIGKILL$/);
  });

  it('that cannot be started for lack of file descriptors fail, and the server goes on', () => {
    const module = new URL('./scheduled-loads.ts', import.meta.url);
    const script = `
      import { openSync } from 'node:fs';
      const { ScheduledLoads } = await import('${module}');
      const loads = new ScheduledLoads('sqlite:none', { onFailed: (load, reason) => console.log(load, reason) });
      // Output needs its stream before the descriptors are gone.
      console.log('began');
      try { for (;;) openSync('/dev/null'); } catch {}
      await loads.run({ argv: ['demo'], interval: '1h' });
      console.log('went on');`;
    const command = `ulimit -n 64; exec "${process.execPath}" --input-type=module -e "$1"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command, 'sh', script], { encoding: 'utf8' });
    assert.match(stdout, /^began\ndemo spawn .*EMFILE\nwent on\n$/, stderr);
  });

  it('that do not stop in order are ended after the grace', async () => {
    const pipe = join(folder, 'silent.csv');
    execFileSync('mkfifo', [pipe]);
    const loads = new ScheduledLoads(store, { onFailed: () => {} });
    const running = loads.run({ argv: ['csv', pipe], interval: '1h' });
    await processWith(pipe);
    loads.stop(500);
    assert.equal(await running, false);
  });

  it('that are stopped with the server are not failures', async () => {
    const failed: string[] = [];
    const loads = new ScheduledLoads(store, { onFailed: load => failed.push(load) });
    const running = loads.run({ argv: ['csv', join(folder, 'none.csv')], interval: '1h' });
    loads.stop(10_000);
    await running;
    assert.deepEqual(failed, []);
  });
});
