// Simulates loads, servers, alerts and API keys on a SQLite store, with a clock, sources, faults and kills that one seed decides.
//
//   npm run simulate -- [--seed N] [--count M] [--steps S] [--quiet]
//
// `--quiet` leaves the faults out. A violation prints the command that repeats it, and ends the run.

import { parseArgs } from 'node:util';
import { simulate } from '../test/simulation/simulation.ts';
import { numberOption } from './number-option.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    quiet: { type: 'boolean', default: false },
  },
});
const option = (name: 'seed' | 'count' | 'steps') => numberOption('simulate', name, values[name]);
const [first, count, steps] = [option('seed'), option('count'), option('steps')];
const total = { days: 0, loads: 0, failedLoads: 0, kills: 0, publications: 0, snapshots: 0, deliveries: 0 };
for (let seed = first; seed < first + count; seed++) {
  try {
    const report = await simulate({ seed, steps, faults: !values.quiet });
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += report[name];
  } catch (error) {
    console.error(error);
    const quiet = values.quiet ? ' --quiet' : '';
    console.error(`\nRepeat it: npm run simulate -- --seed ${seed} --steps ${steps}${quiet}`);
    process.exit(1);
  }
}
const { days, loads, failedLoads, kills, publications, snapshots, deliveries } = total;
console.log(
  `${count} ${count === 1 ? 'seed' : 'seeds'} from ${first}, ${steps} steps each: ${days} simulated days, ${loads} loads (${failedLoads} failed), ` +
    `${kills} kills, ${publications} publications, ${snapshots} snapshots checked, ${deliveries} alert messages; no violation`,
);
