// The interface of a command: its flags, its help, its output.

import { HintedError } from '../common/hinted-error.ts';
import type { Config } from '../config.ts';

export interface CommandOption {
  /** Stands for the value in help texts; without it, the option takes no value. */
  readonly placeholder?: string;
  readonly doc: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Everything after the command's name, one line per form. */
  readonly usage: readonly string[];
  /** Words behind its name that are not flags; more are refused before it runs. */
  readonly maxArgs: number;
  /** The settings (config.ts) that the command uses. */
  readonly settings: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** A paragraph or two for `help COMMAND`. */
  readonly about: string;
  /** Its help for one form only, by the word after the command's name; undefined when there is no such form. */
  form?(word: string): CommandHelp | undefined;
  run(invocation: Invocation): Promise<number>;
}

export type CommandHelp = Pick<Command, 'name' | 'summary' | 'usage' | 'settings' | 'options' | 'about'>;

export interface Invocation {
  readonly config: Config;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly output: Output;
}

/** Results go to standard output, progress and notes to standard error. */
export interface Output {
  readonly json: boolean;
  /** Standard error is a terminal: show progress bars instead of plain lines. */
  readonly live: boolean;
  readonly width: number;
  print(text: string): void;
  say(text: string): void;
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the user can act on: exit code 1, no stack trace. */
export class CommandError extends HintedError {
  override readonly name = 'CommandError';
}
