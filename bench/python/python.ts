// Every row of a large listing into pandas: by the Python package, and by `pd.read_csv` of the same request, in turn, in one process.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PACKAGES, pythonEnvironment } from '../../scripts/python-environment.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import { start } from '../http/contenders.ts';
import { fillStore } from '../http/store.ts';
import { PROGRAM } from '../program.ts';
import { type Bench, comparison } from '../report.ts';

const ROWS = 1_000_000;
const ROUNDS = 3;
/** A server that has just started writes its snapshot to the disk, which takes some seconds. */
const SETTLED_MS = 10_000;

interface Measured {
  /** Seconds of each round. */
  readonly times: Readonly<Record<'package' | 'pages' | 'export' | 'read_csv', readonly number[]>>;
  readonly versions: Readonly<Record<'pandas' | 'pyarrow', string>>;
}

export const pythonBench: Bench = {
  name: 'python',
  page: 'main',
  title: 'Rows into pandas',
  async run(log) {
    const environment = await pythonEnvironment(PACKAGES);
    if ('missing' in environment) throw new Error(environment.missing);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    try {
      const { times, versions } = await measured(environment.python, folder);
      for (const [name, seconds] of Object.entries(times))
        log(`${name}: ${seconds.map(each => each.toFixed(2)).join(', ')} s`);
      const contender = (name: string, way: keyof typeof times) => ({ name, millis: 1000 * middle(times[way]) });
      return `${ROWS.toLocaleString('en')} rows × 34 columns of the listing, client and server on one machine. The median of ${ROUNDS} rounds, in which the contenders take turns. The frames
of one page and of \`read_csv\` are compared and equal. pandas ${versions.pandas}, pyarrow ${versions.pyarrow}.

${comparison([
  contender('**package, one page**: `tm.listing(limit=1_000_000).to_pandas()`', 'package'),
  contender('package, ten pages of 100,000', 'pages'),
  contender("package, Parquet: `tm.export('ta-cur').to_pandas()`", 'export'),
  contender('`pd.read_csv` of the same request with `format=csv`', 'read_csv'),
])}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measured(python: string, folder: string): Promise<Measured> {
  const store = `sqlite:${join(folder, 'tidemark.db')}`;
  await fillStore(store, ROWS);
  const port = await probePort('127.0.0.1', 0);
  const args = [
    'serve',
    '--open',
    '--tiers',
    `unlimited: rows=${ROWS}`,
    '--store',
    store,
    '--port',
    String(port),
    '--json',
  ];
  const server = await start(PROGRAM, args, port);
  try {
    await wait(SETTLED_MS);
    const program = [join(import.meta.dirname, 'into_pandas.py'), server.url, String(ROWS), String(ROUNDS)];
    const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '../../python/src') };
    const { stdout } = await promisify(execFile)(python, program, { env, maxBuffer: 2 ** 20 });
    return JSON.parse(stdout) as Measured; // as the program prints it
  } finally {
    await server.stop();
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!; // at least one round
}
