// Asks before something is done that cannot be undone.

import { createInterface } from 'node:readline/promises';
import { type Invocation, UsageError } from './command.ts';

/** Says what would be done. True with --yes, or if a person at a terminal agrees; others must give --yes. */
export async function confirmed(plan: string, { options, output }: Invocation): Promise<boolean> {
  if (options['yes'] === true) {
    if (!output.json) output.say(plan);
    return true;
  }
  output.say(plan);
  if (process.stdin.isTTY !== true)
    throw new UsageError('add --yes to do it: this is not a terminal, so the question cannot be asked');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question('Do it? [y/N] ')).trim());
  } finally {
    lines.close();
  }
}
