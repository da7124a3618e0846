// The type checker is one of the checks of `npm test`: it refuses some mutants that no test file notices.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Mutant } from './sites.ts';
import type { Workplace } from './workplace.ts';

/** Those that do not compile. One run judges a mutant of each file; an error counts only in the file that was changed. */
export async function refusedByTypes(workplace: Workplace, mutants: readonly Mutant[]): Promise<Mutant[]> {
  const refused: Mutant[] = [];
  let open = mutants;
  while (open.length > 0) {
    const batch = open.filter((mutant, i) => open.findIndex(({ file }) => file === mutant.file) === i);
    const output = await workplace.withMutants(batch, () => errorsOf(workplace.root));
    refused.push(...batch.filter(({ file }) => output.includes(`\n${file}(`)));
    open = open.filter(mutant => !batch.includes(mutant));
  }
  return refused;
}

function errorsOf(root: string): string {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--noEmit', '--incremental', 'false', '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  });
  return `\n${stdout}`;
}
