// Several sources of the same assets and days, one load after the other: the time of each load and the space of the store.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from '../program.ts';
import { duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { measured, writeCloses } from './files.ts';

const SIZE = { assets: 1000, days: 730 };
const SOURCES = ['one', 'two', 'three', 'four', 'five'];
const RULES = ['priority', 'median'];

export async function sourcesTable(folder: string, log: (text: string) => void): Promise<string> {
  const file = join(folder, 'sources.csv');
  const bars = writeCloses(file, SIZE.assets, SIZE.days);
  const columns: string[][] = [];
  for (const rule of RULES) {
    const database = join(folder, `${rule}.db`);
    const args = ['ingest', 'csv', file, '--store', `sqlite:${database}`, '--price-rule', rule];
    const [times, sizes]: [string[], string[]] = [[], []];
    for (const source of SOURCES) {
      const { millis } = await measured(PROGRAM, [...args, '--source', source]);
      times.push(duration(millis));
      sizes.push(`${(statSync(database).size / 1e6).toFixed(0)} MB`);
    }
    // A source that is there already, with nothing new.
    const again = await undisturbed(() => measured(PROGRAM, [...args, '--source', SOURCES.at(-1)!]));
    columns.push([...times, duration(again.millis)], [...sizes, sizes.at(-1)!]);
    log(`five sources by the rule ${rule} done`);
  }
  const names = ['the only source', ...SOURCES.slice(1).map(name => `source ${name}`), 'source five again'];
  return [
    `Several sources: ${bars.toLocaleString('en')} closes (${SIZE.assets.toLocaleString('en')} assets × ${SIZE.days} days) per source, all with the same closes, into SQLite. The second source also separates the assets, once.`,
    '',
    `| load | ${RULES.map(rule => `\`${rule}\` | store`).join(' | ')} |`,
    `|---|${'--:|'.repeat(2 * RULES.length)}`,
    ...names.map((name, i) => `| ${name} | ${columns.map(column => column[i]).join(' | ')} |`),
  ].join('\n');
}
