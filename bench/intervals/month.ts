// A month of minutes of every asset, a file per day, as they come: the load, the space, and a server with them beside one with days alone.
//
// What does not fit in the time is extrapolated from the days that were loaded, and said to be.

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { ask } from '../../test/support/service.ts';
import { duration } from '../report.ts';
import { memoryOf } from '../sizing/memory.ts';
import { FIRST_MINUTE, writeBars } from './files.ts';
import { ingest, tableBytes } from './loading.ts';
import { median, newMinutes, serveIntervals } from './new-minutes.ts';

const DAYS = 30;
const MINUTES_A_DAY = 1440;
/** Of each asset, before the minutes begin. */
const HISTORY_DAYS = 400;
const LISTINGS = 300;

export async function measureMonth(
  folder: string,
  assets: number,
  budgetMs: number,
  log: (text: string) => void,
): Promise<string> {
  const [file, path, daysPath] = ['month.csv', 'month.db', 'days.db'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const url = `sqlite:${path}`;
  writeBars(file, { assets, bars: HISTORY_DAYS, unit: 'day', from: -HISTORY_DAYS });
  await ingest(file, '1d', url);
  copyFileSync(path, daysPath);
  const times: number[] = [];
  let spent = 0;
  // Files are written between the loads, and not counted.
  while (times.length < DAYS && spent < budgetMs) {
    writeBars(file, { assets, bars: MINUTES_A_DAY, unit: 'minute', from: times.length * MINUTES_A_DAY });
    const { millis } = await ingest(file, '1m', url);
    times.push(millis);
    spent += millis;
    log(`day ${times.length} of minutes loaded in ${duration(millis)}`);
  }
  rmSync(file);
  const bars = times.length * assets * MINUTES_A_DAY;
  const bytes = tableBytes(path, 'blocks_1m');
  const [dayServer, monthServer] = [
    await served(() => ServerProcess.start('--open', '--store', `sqlite:${daysPath}`)),
    await served(
      () => serveIntervals(url),
      async server => {
        const store = await openStore(url);
        const [first] = await store.assets();
        await store.close();
        return newMinutes(server, url, first!.assetNumber, FIRST_MINUTE + times.length * MINUTES_A_DAY);
      },
    ),
  ];
  const share = (found: number, days: number) => `${megabytes(found)} (${(found / days).toFixed(2)} ×)`;
  const whole = times.length === DAYS;
  const scale = DAYS / times.length;
  return [
    `${assets.toLocaleString('en')} assets with ${HISTORY_DAYS} days in SQLite, then minutes, from a CSV file per day: ${times.length} days, ${bars.toLocaleString('en')} bars.${whole ? '' : ` A month of ${DAYS} days is extrapolated from them.`} The server has one thread per core; its memory is measured after ${LISTINGS} listings of 100 rows.`,
    '',
    '| what | days alone | with minutes | target |\n|---|--:|--:|--:|',
    `| ${times.length} days of minutes loaded | | ${duration(spent)}, ${Math.round(bars / (spent / 1000)).toLocaleString('en')} bars/s | |`,
    `| the first and the last of these days | | ${duration(times[0]!)} and ${duration(times.at(-1)!)} | |`,
    `| their bytes | | ${(bytes / 1e9).toFixed(2)} GB, ${(bytes / bars).toFixed(1)} per bar | |`,
    ...(whole
      ? []
      : [`| a month, extrapolated | | ${duration(spent * scale)}, ${((bytes * scale) / 1e9).toFixed(1)} GB | |`]),
    `| start until the first listing | ${duration(dayServer.startMs)} | ${duration(monthServer.startMs)} | |`,
    `| memory of the server | ${megabytes(dayServer.bytes)} | ${share(monthServer.bytes, dayServer.bytes)} | ≤ 1.3 × |`,
    `| memory after ${monthServer.done?.length} new minutes | | ${share(monthServer.bytesAfter, dayServer.bytes)} | |`,
    `| one new minute of every asset in every thread and listing | | ${duration(median(monthServer.done ?? []))} | < 1 s |`,
  ].join('\n');
}

interface Served<Done> {
  readonly startMs: number;
  readonly bytes: number;
  readonly bytesAfter: number;
  readonly done: Done | undefined;
}

async function served<Done>(
  start: () => Promise<ServerProcess>,
  work?: (server: ServerProcess) => Promise<Done>,
): Promise<Served<Done>> {
  const began = performance.now();
  const server = await start();
  try {
    await listing(server);
    const startMs = performance.now() - began;
    for (let i = 0; i < LISTINGS; i++) await listing(server);
    const bytes = memoryOf(server);
    const done = await work?.(server);
    return { startMs, bytes, bytesAfter: memoryOf(server), done };
  } finally {
    await server.stop();
  }
}

async function listing(server: ServerProcess): Promise<void> {
  const { status, text } = await ask(server.url, '/v1/crypto/ta-cur?limit=100');
  if (status !== 200) throw new Error(`a listing is answered with ${status}: ${text}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
