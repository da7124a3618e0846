// What good clients get while thousands of connections are held that are meant to use the server up, and what an overload does to
// them with one and another `--shed-after`.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scene } from '../../test/resilience/load/attack-scene.ts';
import { ATTACKS, type AttackName } from '../../test/resilience/load/attacker.ts';
import { hasSmallNetwork, playScene } from '../../test/resilience/load/play-scene.ts';
import type { Bench } from '../report.ts';
import { overload } from './overload.ts';

const run = promisify(execFile);
const launcher = join(import.meta.dirname, '../../scripts/launch.js');

/** One address may have 5,000. */
const CONNECTIONS = Number(process.env['ATTACK_CONNECTIONS'] ?? 4000);
const QUIET_MS = 10_000;
const ATTACK_MS = 20_000;
/** Of each good client, between its requests. */
const PAUSE_MS = 10;
const TIMEOUT_MS = 30_000;
const ASSETS = 20_000;
const TARGET = 3;

async function makeStore(folder: string): Promise<string> {
  const [file, store] = [join(folder, 'closes.csv'), `sqlite:${join(folder, 'store.db')}`];
  const day = new Date().toISOString().slice(0, 10);
  const lines = Array.from({ length: ASSETS }, (_, i) => `S${i},${day},${i + 1}`);
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await run(process.execPath, [launcher, 'ingest', 'csv', file, '--store', store]);
  return store;
}

const millis = (value: number) => value.toFixed(1);
const whole = (value: number) => Math.round(value).toLocaleString('en');

/** How many times the quiet figure, in bold where it is more than was aimed at. */
function times(attacked: number, quiet: number): string {
  const ratio = attacked / quiet;
  return ratio < TARGET ? ratio.toFixed(2) : `**${ratio.toFixed(2)}**`;
}

function row(attack: AttackName, { quiet, attacked, attack: seen, usage, mostResidentBytes }: Scene): string {
  const each = (mostResidentBytes - usage.idle.residentBytes) / 1024 / Math.max(1, usage.attacked.openFiles);
  const cells = [
    attack,
    whole(seen.opened),
    whole(seen.closed),
    `${millis(quiet.p99)} → ${millis(attacked.p99)}`,
    times(attacked.p99, quiet.p99),
    `${millis(quiet.newP99)} → ${millis(attacked.newP99)}`,
    times(attacked.newP99, quiet.newP99),
    `${whole(attacked.failures.length)} of ${whole(attacked.answers)}`,
    `${each.toFixed(0)} kB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

export const attacksBench: Bench = {
  name: 'attacks',
  page: 'load',
  title: 'Attacks',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    try {
      const store = await makeStore(folder);
      const server = [launcher, 'serve', '--port', '0', '--json', '--open', '--keep', 'off', '--store', store];
      const times = { quietMs: QUIET_MS, attackMs: ATTACK_MS, pauseMs: PAUSE_MS, timeoutMs: TIMEOUT_MS };
      const rows: string[] = [];
      // Their keys are what the type of the table says.
      for (const attack of Object.keys(ATTACKS) as AttackName[]) {
        const played = await playScene({ server, attack, connections: CONNECTIONS, reopen: true, ...times });
        rows.push(row(attack, played));
        log(rows.at(-1)!);
        for (const failure of new Set(played.attacked.failures)) log(failure);
      }
      const network = hasSmallNetwork()
        ? 'The loopback has packets as long as those of Ethernet, and receivers take in 8 kB, as slow readers do.'
        : 'No network of its own could be made, so the loopback is the usual one, and slow readers are only a hundred.';
      return [
        `Another process holds ${whole(CONNECTIONS)} connections and opens a new one, two seconds later, for each that the server closes: it sends headers or a body a byte every two seconds, asks for ${whole(ASSETS)} rows, or for a file of the documentation, and takes a kilobyte a second, or says nothing. The server is open to all; where keys are wanted, files are all that a stranger can read slowly. Ten good clients ask for 5 rows a hundred times per second at most, eight of them over connections that they keep and two over a new one each time, for ${QUIET_MS / 1000} s without and for some ${ATTACK_MS / 1000} s with the attack, its beginning included. The server has its own limits and a thread for each core; it, the attack and the good clients share the machine. ${network}`,
        '',
        `| attack | opened | closed by the server | p99, kept connections (ms) | × (target: under ${TARGET}) | p99, new connections (ms) | × | failed | memory each |`,
        '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
        ...rows,
        '',
        await overload(store, log),
      ].join('\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
