// The table of docs/reports/faults.md.

import { machine } from '../../../bench/machine.ts';
import { type Finding, INVARIANTS, type Invariant } from './findings.ts';

const NAMES = Object.keys(INVARIANTS) as Invariant[]; // the keys of the table

export function faultReport(findings: readonly Finding[]): string {
  const seconds = findings.reduce((sum, finding) => sum + finding.seconds, 0);
  const violated = findings.filter(({ violation }) => violation !== null).length;
  return `# Faults

Real processes, killed and broken at random moments, and what must hold afterwards. Written by \`npm run faults\`; a short form
of each is part of \`npm test\` ([the tests](../../test/resilience/faults)). What must hold:

${NAMES.map(name => `- **${name}**: ${INVARIANTS[name]}`).join('\n')}

| fault | rounds | ${NAMES.join(' | ')} | what was seen | violations | took |
|---|--:|${NAMES.map(() => ':-:').join('|')}|---|---|--:|
${findings.map(row).join('\n')}

${violated === 0 ? 'Nothing was violated' : `**${violated} faults violated something**`}, in ${(seconds / 60).toFixed(0)} minutes.

${machine()}
`;
}

function row({ fault, rounds, checked, note, violation, seconds }: Finding): string {
  const marks = NAMES.map(name => (checked.includes(name) ? '✓' : '')).join(' | ');
  const wrong = violation === null ? 'none' : `**${violation.split('\n')[0]}**`;
  return `| ${fault} | ${rounds} | ${marks} | ${note} | ${wrong} | ${seconds.toFixed(0)} s |`;
}
