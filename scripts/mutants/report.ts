// The report of a run: how many mutants were killed, and each survivor with the reason why no test can notice it.

import { EQUIVALENT } from './equivalent.ts';
import type { Mutant } from './sites.ts';

export interface Place {
  readonly mutant: Mutant;
  readonly line: number;
  /** The whole line, before the change. */
  readonly text: string;
}

export interface Outcome extends Place {
  /** The test file that fails with the mutant; null if none does. */
  readonly killer: string | null;
}

export interface Run {
  readonly seed: number;
  readonly outcomes: readonly Outcome[];
}

export function reportOf(runs: readonly Run[], all: number): string {
  return `# Mutants

Written by \`npm run mutants\`: one token of a core file is changed (a comparison, an operator, a boolean, a number), and the nearest
tests that execute this token are run. A mutant is killed if one of them fails, or if the type checker, which \`npm test\` runs too,
refuses it. Each sample was chosen from ${all.toLocaleString('en')} mutants. Three kinds of numbers are not among them, because a test cannot be exact
about them: constants of 100 or more whose names say how long, how large or how many at once (\`RETRY_MS\`, \`BATCH_BYTES\`; limits such
as \`MAX_PENDING_BYTES\` are among them), the numbers of files named \`tuning.ts\`, and the 1 of \`? -1 : 1\`.

| seed | judged | killed | of these by types | killed of all | survivors that behave as the program does | killed of the others |
|---|---|---|---|---|---|---|
${runs.map(summaryOf).join('\n')}

${runs.map(survivorsOf).join('\n')}`;
}

function summaryOf({ seed, outcomes }: Run): string {
  const survivors = outcomes.filter(({ killer }) => killer === null);
  const killed = outcomes.length - survivors.length;
  const types = outcomes.filter(({ killer }) => killer === 'tsc').length;
  const equivalent = survivors.filter(outcome => whyEquivalent(outcome) !== null).length;
  const percent = (of: number) => `${((100 * killed) / of).toFixed(1)} %`;
  const cells = [
    seed,
    outcomes.length,
    killed,
    types,
    percent(outcomes.length),
    equivalent,
    percent(outcomes.length - equivalent),
  ];
  return `| ${cells.join(' | ')} |`;
}

function survivorsOf({ seed, outcomes }: Run): string {
  const rows = outcomes
    .filter(({ killer }) => killer === null)
    .toSorted((a, b) => a.mutant.file.localeCompare(b.mutant.file) || a.line - b.line)
    .map(outcome => `| ${placeOf(outcome)} | ${changeOf(outcome)} | ${whyEquivalent(outcome) ?? 'open'} |`);
  return `## Survivors of seed ${seed}

| where | change | why no test notices it |
|---|---|---|
${rows.join('\n')}
`;
}

function placeOf({ mutant, line }: Place): string {
  return `\`${mutant.file}:${line}\``;
}

function changeOf({ mutant, text }: Place): string {
  const code = (value: string) => `\`${value.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
  return `${code(mutant.was)} → ${mutant.becomes === '' ? 'nothing' : code(mutant.becomes)} in ${code(text)}`;
}

/** Why no test can notice it; null if no reason is known. */
export function whyEquivalent({ mutant, text }: Place): string | null {
  const found = EQUIVALENT.find(
    known => mutant.file.endsWith(known.file) && text.includes(known.text) && known.was === mutant.was,
  );
  return found?.why ?? null;
}
