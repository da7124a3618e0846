// Simulates loads, servers, alerts, exports and API keys on one store, with a clock, sources, faults and kills that one seed decides.
//
//   npm run simulate -- [--seed N] [--count M] [--steps S] [--quiet] [--postgres | --report]
//
// `--quiet` leaves the faults out. `--postgres`: on PostgreSQL, which does some things at the same time, so that a seed need not repeat all.
// `--report` writes docs/reports/simulation.md of what ran on SQLite. A violation prints the command that repeats it, and ends the run.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from '../test/simulation/simulation.ts';
import { freshPostgresUrl } from '../test/support/postgres.ts';
import { commitOf } from './commit.ts';
import { numberOption } from './number-option.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    quiet: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
if (values.report && values.postgres) {
  console.error('simulate: the report is about SQLite; leave out --postgres or --report');
  process.exit(2);
}
const option = (name: 'seed' | 'count' | 'steps') => numberOption('simulate', name, values[name]);
const [first, count, steps] = [option('seed'), option('count'), option('steps')];
const flags = `${values.quiet ? ' --quiet' : ''}${values.postgres ? ' --postgres' : ''}`;
const commit = values.report ? commitOf() : '';
const total = {
  days: 0,
  loads: 0,
  failedLoads: 0,
  kills: 0,
  publications: 0,
  snapshots: 0,
  hours: 0,
  streamed: 0,
  downloads: 0,
  deliveries: 0,
};
for (let seed = first; seed < first + count; seed++) {
  try {
    const url = values.postgres ? await freshPostgresUrl() : null;
    const report = await simulate({ seed, steps, faults: !values.quiet, url });
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += report[name];
  } catch (error) {
    console.error(error);
    console.error(`\nRepeat it: npm run simulate -- --seed ${seed} --steps ${steps}${flags}`);
    process.exit(1);
  }
}
const { days, loads, failedLoads, kills, publications, snapshots, hours, streamed, downloads, deliveries } = total;
const of = `${count} ${count === 1 ? 'seed' : 'seeds'} from ${first}, ${steps} steps each`;
console.log(
  `${of}: ${days} simulated days, ${loads} loads (${failedLoads} failed), ` +
    `${kills} kills, ${publications} publications, ${snapshots} snapshots and ${hours} listings of hours checked, ${streamed} readings of streams, ${downloads} files read, ${deliveries} alert messages; no violation`,
);
if (values.report) writeFileSync(join(import.meta.dirname, '../docs/reports/simulation.md'), report());

function report(): string {
  const rows = [
    ['simulated days', days],
    ['loads', loads],
    ['of them failed', failedLoads],
    ['kills', kills],
    ['publications', publications],
    ['snapshots of servers that were checked', snapshots],
    ['listings of hours, made of the minutes, that were checked', hours],
    ['times that the client of a stream had read, and had the page of the version', streamed],
    ['files that were downloaded and read: listings, and histories of all assets', downloads],
    ['messages of alerts', deliveries],
    ['violations', 0],
  ] as const;
  return `# Simulated time

One seed decides the clock (jumps, the ends of days and years, leap days), what sources deliver (days and minutes, late, twice, in contradiction), which calls of
the store fail, who is killed, and who acts between two calls of a load. Three servers, each with a
stream and a folder of export files, an alert and API keys share a SQLite store.

- With each snapshot: every row is what was loaded, no acknowledged load is missing, and no client sees an older version than before.
- With each listing of hours, which a server makes of the one before: the same.
- A stream, read now and then and opened again: the rows that its events have built are those of the version, and no version goes back.
- A file that a client downloads, listing or history, has all rows of one version, and no version goes back; a killed server leaves what it had begun in the folder.
- After the faults: every server, every stream and the alert reach the newest publication; every change is reported at least once, and once if nothing failed.

Written by \`npm run simulate -- --seed ${first} --count ${count} --steps ${steps}${flags} --report\` at commit ${commit}: ${of}. A violation ends
the run, and no report is written.

| | |
|---|--:|
${rows.map(([name, value]) => `| ${name} | ${value.toLocaleString('en-US')} |`).join('\n')}
`;
}
