// The long form of the fault tests: kills, restarts and breaks things many times. Ends with a table and writes
// docs/reports/faults.md.
//
//   npm run faults                         100 rounds of what is quick, a share of that where a round takes long
//   npm run faults -- --rounds 10          fewer
//   npm run faults -- threads backup       only the test files whose name contains a word; the report is not written

import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs, styleText } from 'node:util';
import { machine } from '../bench/machine.ts';
import { type Finding, findingOf, INVARIANTS } from '../test/faults/findings.ts';

const root = join(import.meta.dirname, '..');
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

const files = globSync('test/faults/*.test.ts', { cwd: root })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort()
  .map(file => join(root, file));
const findings: Finding[] = [];
const failures: string[] = [];
// One at a time: a machine that is busy with another fault would hide how this one goes.
const events = run({ files, concurrency: 1, execArgv: ['--disable-warning=ExperimentalWarning'] });
for await (const event of events) {
  if (event.type === 'test:diagnostic') {
    const finding = findingOf(event.data.message);
    if (finding === null) continue;
    findings.push(finding);
    process.stdout.write(`${line(finding)}\n`);
  } else if (event.type === 'test:fail' && event.data.details.error.failureType !== 'subtestsFailed') {
    const { error } = event.data.details;
    failures.push(event.data.name);
    process.stdout.write(
      `${styleText('red', '✗')} ${event.data.name}\n${(error.cause as Error | undefined)?.stack ?? error.stack}\n`,
    );
  }
}

if (words.length === 0) {
  const folder = join(root, 'docs/reports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'faults.md'), report());
  process.stdout.write('\nwritten to docs/reports/faults.md\n');
}
const done = findings.reduce((sum, finding) => sum + finding.rounds, 0);
process.stdout.write(`${done} rounds of ${findings.length} faults, ${failures.length} tests failed\n`);
process.exitCode = failures.length > 0 || findings.length === 0 ? 1 : 0;

function line({ fault, rounds: times, note, seconds, violation }: Finding): string {
  const mark = violation === null ? styleText('green', '✓') : styleText('red', '✗');
  const detail = `${String(times).padStart(4)} rounds ${`${seconds.toFixed(0)} s`.padStart(7)}`;
  return `${mark} ${fault.padEnd(68)} ${styleText('gray', detail)} ${violation?.split('\n')[0] ?? note}`;
}

function report(): string {
  const names = Object.keys(INVARIANTS) as (keyof typeof INVARIANTS)[]; // the keys of the table
  const seconds = findings.reduce((sum, finding) => sum + finding.seconds, 0);
  const rows = findings.map(
    ({ fault, rounds: times, checked, note, violation, seconds: took }) =>
      `| ${fault} | ${times} | ${names.map(name => (checked.includes(name) ? '✓' : '')).join(' | ')} | ${note} | ${
        violation === null ? 'none' : `**${violation.split('\n')[0]}**`
      } | ${took.toFixed(0)} s |`,
  );
  const failed = failures.map(name => `- ${name}`);
  return `# Faults

Real processes, killed and broken at random moments, and what must hold afterwards. Written by \`npm run faults\`; a short form
of each is part of \`npm test\` ([the tests](../../test/faults)). What must hold:

${names.map(name => `- **${name}**: ${INVARIANTS[name]}`).join('\n')}

| fault | rounds | ${names.join(' | ')} | what was seen | violations | took |
|---|--:|${names.map(() => ':-:').join('|')}|---|---|--:|
${rows.join('\n')}

${failures.length === 0 ? 'All tests passed' : `Tests that failed:\n\n${failed.join('\n')}\n\nThe others passed`}, in ${(seconds / 60).toFixed(0)} minutes.

${machine()}
`;
}
