// How people call the program, so that the commands in its messages work when they are pasted.

import { SETTINGS } from '../config.ts';

/** As it was typed: the script that starts the program says so. */
const PROGRAM = process.env['TIDEMARK_PROGRAM'] ?? './tidemark';

const CALL = /(?<=^|[\s'"`(])tidemark (?=[A-Za-z])/gm;

/** Messages call the program `tidemark`; people are shown what they can type. */
export function asTyped(text: string): string {
  // Two words; anything else is the path of a file.
  const typed = PROGRAM === 'npx tidemark' ? PROGRAM : quotedForShell(PROGRAM);
  return text.replace(CALL, () => `${typed} `);
}

/** The flag by which another command uses the same store; empty when it does so anyway. Holds no password. */
export function storeFlag(url: string): string {
  if (url === SETTINGS.store.default) return '';
  return ` --store ${quotedForShell(url.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:PASSWORD@'))}`;
}

function quotedForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
