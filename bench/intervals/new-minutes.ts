// A server with the listings of three intervals, and the minutes that come while it serves.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { oneForEachThread, untilShown } from '../refresh/served.ts';
import { undisturbed } from '../undisturbed.ts';
import { closeOf } from './market.ts';

export const KEPT = ['1m', '1h', '1d'] as const;
const MINUTE_RUNS = 7;
const LOADER = join(import.meta.dirname, 'minute-loader.ts');
/** Bars are kept for ever. */
export const KEEP_ALL = ['--retention-1m', '0', '--retention-1h', '0'] as const;

export function serveIntervals(url: string): Promise<ServerProcess> {
  return ServerProcess.start('--open', '--store', url, ...KEEP_ALL, '--listings', KEPT.join());
}

/** Milliseconds of each new minute of every asset, from its load until every thread answers with it in every listing that is kept. */
export async function newMinutes(
  server: ServerProcess,
  url: string,
  assetNumber: AssetNumber,
  first: number,
): Promise<number[]> {
  const port = Number(new URL(server.url).port);
  const loader = fork(LOADER, [url]);
  await once(loader, 'message');
  const agents = await oneForEachThread(port);
  let minute = first;
  const change = async () => {
    const wanted = minute++;
    const published = once(loader, 'message');
    const began = performance.now();
    loader.send(wanted);
    for (const interval of KEPT) {
      for (const agent of agents) {
        await untilShown(agent, port, 'S0', closeOf(assetNumber, wanted), `&interval=${interval}`);
      }
    }
    const shown = performance.now() - began;
    await published;
    return shown;
  };
  try {
    // The first one finds nothing prepared.
    await change();
    const times: number[] = [];
    while (times.length < MINUTE_RUNS) times.push(await undisturbed(change));
    return times;
  } finally {
    for (const agent of agents) agent.destroy();
    const closed = once(loader, 'close');
    loader.kill('SIGKILL');
    await closed;
  }
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
