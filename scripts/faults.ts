// The long form of the fault tests: kills, restarts and breaks things many times. Ends with a table and writes it to
// docs/reports/faults.md.
//
//   npm run faults                         100 rounds of what is quick, a share of that where a round takes long
//   npm run faults -- --rounds 10          fewer
//   npm run faults -- threads backup       only the test files whose name contains a word; the other rows of the table stay

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs, styleText } from 'node:util';
import { type Finding, findingOf } from '../test/resilience/faults/findings.ts';
import { faultReport } from '../test/resilience/faults/report.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/reports');
/** What the table is made of. */
const kept = join(folder, 'faults.json');

const { values, positionals: words } = parseArgs({
  options: { rounds: { type: 'string', default: '100' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) {
  process.stderr.write(`faults: --rounds takes a number from 1 on, not ${values.rounds}\n`);
  process.exit(2);
}
process.env['TIDEMARK_FAULT_ROUNDS'] = String(rounds);

const files = globSync(['test/resilience/faults/*.test.ts', 'test/http/fuzz.test.ts'], { cwd: root })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort()
  .map(file => join(root, file));
const findings: Finding[] = [];
let failed = 0;
// One at a time: a machine that is busy with another fault would hide how this one goes.
for await (const event of run({ files, concurrency: 1, execArgv: ['--disable-warning=ExperimentalWarning'] })) {
  if (event.type === 'test:diagnostic') {
    const finding = findingOf(event.data.message);
    if (finding === null) continue;
    findings.push(finding);
    process.stdout.write(`${line(finding)}\n`);
  } else if (event.type === 'test:fail' && event.data.details.error.failureType !== 'subtestsFailed') {
    const { error } = event.data.details;
    const cause = error.cause instanceof Error ? error.cause : error;
    failed++;
    process.stdout.write(`${styleText('red', '✗')} ${event.data.name}\n${cause.stack}\n`);
  }
}

mkdirSync(folder, { recursive: true });
// Written by this script, so it has this shape.
const before = words.length === 0 || !existsSync(kept) ? [] : (JSON.parse(readFileSync(kept, 'utf8')) as Finding[]);
const all = new Map([...before, ...findings].map(finding => [finding.fault, finding]));
writeFileSync(kept, `${JSON.stringify([...all.values()], null, 2)}\n`);
writeFileSync(join(folder, 'faults.md'), faultReport([...all.values()]));
const done = findings.reduce((sum, finding) => sum + finding.rounds, 0);
process.stdout.write(`\n${done} rounds of ${findings.length} faults, ${failed} tests failed\n`);
process.stdout.write('written to docs/reports/faults.md\n');
process.exitCode = failed > 0 || findings.length === 0 ? 1 : 0;

function line({ fault, rounds: times, note, seconds, violation }: Finding): string {
  const mark = violation === null ? styleText('green', '✓') : styleText('red', '✗');
  const detail = `${String(times).padStart(4)} rounds ${`${seconds.toFixed(0)} s`.padStart(7)}`;
  return `${mark} ${fault.padEnd(54)} ${styleText('gray', detail)}  ${violation?.split('\n')[0] ?? note}`;
}
