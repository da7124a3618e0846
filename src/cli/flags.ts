// Reads the flags of a command, and says which one was meant when there is no such flag.

import { parseArgs } from 'node:util';
import { nearest } from '../common/nearest.ts';
import { SETTINGS } from '../config.ts';
import { type Command, type Invocation, UsageError } from './command.ts';

/** Flags that every command takes. */
const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  debug: { type: 'boolean' },
  config: { type: 'string' },
} as const;

export interface ParsedFlags {
  readonly values: Invocation['options'];
  readonly positionals: readonly string[];
}

export function parseFlags(command: Command, argv: readonly string[]): ParsedFlags {
  const flags: Record<string, { type: 'string' | 'boolean'; short?: string }> = { ...COMMON };
  // A test checks that commands name settings of the table.
  const settings = command.settings.map(name => [name, SETTINGS[name as keyof typeof SETTINGS]] as const);
  for (const [name, option] of [...settings, ...Object.entries(command.options)]) {
    flags[name] = { type: 'placeholder' in option ? 'string' : 'boolean' };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
    return { values: values as Invocation['options'], positionals };
  } catch (error) {
    throw new UsageError(flagProblem(error, command, Object.keys(flags)), { cause: error });
  }
}

function flagProblem(error: unknown, command: Command, known: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '(-{1,2}[^']*)'/.exec(message)?.[1];
  const seeHelp = `'tidemark help ${command.name}' lists its flags.`;
  if (unknown === undefined) return `${command.name}: ${message.split('\n')[0]}\n${seeHelp}`;
  const hint = nearest(unknown.replace(/^-+/, ''), known);
  return `${command.name} has no flag ${unknown}${hint === null ? '' : `; did you mean --${hint}?`}\n${seeHelp}`;
}
