// Runs the benchmarks and writes what they measured to docs/benchmarks.md and docs/benchmarks-under-load.md; no figure there is typed by hand.
//
//   npm run bench                 all of them
//   npm run bench -- kernel       only the named ones; `intervals` also names `intervals-served` and all others of it

import { readFileSync, writeFileSync } from 'node:fs';
import { cpuTicks } from '../test/support/stolen-time.ts';
import { attacksBench } from './attacks/attacks.ts';
import { costlyBench } from './attacks/costly.ts';
import { explorerBench } from './explorer/explorer.ts';
import { exportBench } from './export/export.ts';
import { historyBench } from './history/history.ts';
import { httpBench } from './http/http.ts';
import { ingestBench } from './ingest/ingest.ts';
import { intervalsBench, intervalsMonthBench, intervalsServedBench } from './intervals/intervals.ts';
import { kernelBench } from './kernel/kernel.ts';
import { limitsBench } from './limits/limits.ts';
import { machine } from './machine.ts';
import { mcpBench } from './mcp/mcp.ts';
import { peersBench } from './peers/peers.ts';
import { pythonBench } from './python/python.ts';
import { queryBench } from './query/query.ts';
import { refreshAllBench, refreshBench } from './refresh/refresh.ts';
import { type Bench, PAGES, pageWith, readSections } from './report.ts';
import { sizingBench } from './sizing/sizing.ts';
import { startBench } from './start/start.ts';
import { streamsBench } from './streams/streams.ts';

const BENCHES: readonly Bench[] = [
  kernelBench,
  ingestBench,
  intervalsBench,
  intervalsServedBench,
  intervalsMonthBench,
  refreshBench,
  refreshAllBench,
  historyBench,
  queryBench,
  exportBench,
  pythonBench,
  httpBench,
  peersBench,
  mcpBench,
  startBench,
  limitsBench,
  streamsBench,
  explorerBench,
  attacksBench,
  costlyBench,
  sizingBench,
];

const asked = process.argv.slice(2);
const isNamed = (bench: Bench, name: string) => bench.name === name || bench.name.startsWith(`${name}-`);
const unknown = asked.filter(name => !BENCHES.some(bench => isNamed(bench, name)));
if (unknown.length > 0) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are ${BENCHES.map(b => b.name).join(', ')}\n`);
  process.exit(2);
}

for (const bench of BENCHES.filter(b => asked.length === 0 || asked.some(name => isNamed(b, name)))) {
  process.stdout.write(`\n# ${bench.title}\n\n`);
  const before = cpuTicks();
  const body = await bench.run(text => process.stdout.write(`${text}\n`));
  process.stdout.write(`\n${body}\n`);
  const section = `## ${bench.title}\n\n${body}\n\n${machine(before)}`;
  const sections = readSections().set(bench.name, section);
  for (const [page, file] of Object.entries(PAGES)) {
    const order = BENCHES.filter(each => each.page === page).map(({ name }) => name);
    writeFileSync(file, pageWith(readFileSync(file, 'utf8'), sections, order));
  }
}
process.stdout.write('\nwritten to docs/benchmarks.md and docs/benchmarks-under-load.md\n');
