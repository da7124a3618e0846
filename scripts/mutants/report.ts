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

export function reportOf(outcomes: readonly Outcome[], run: { readonly seed: number; readonly all: number }): string {
  const survivors = outcomes.filter(({ killer }) => killer === null);
  const killed = outcomes.length - survivors.length;
  const equivalent = survivors.filter(outcome => whyEquivalent(outcome) !== null).length;
  const percent = (of: number) => `${((100 * killed) / of).toFixed(1)} %`;
  const rows = survivors
    .toSorted((a, b) => a.mutant.file.localeCompare(b.mutant.file) || a.line - b.line)
    .map(outcome => `| ${placeOf(outcome)} | ${changeOf(outcome)} | ${whyEquivalent(outcome) ?? 'open'} |`);
  return `# Mutants

Written by \`npm run mutants\`: one token of a core file is changed (a comparison, an operator, a boolean, a number), and the tests
nearest to the file are run. A mutant is killed if one of them fails.

${outcomes.length} mutants, chosen from ${run.all.toLocaleString('en')} with seed ${run.seed}: ${killed} were killed (${percent(outcomes.length)}). ${equivalent} of the survivors behave as
the program does, so that no test can notice them; without these, ${percent(outcomes.length - equivalent)} were killed. The survivors:

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
