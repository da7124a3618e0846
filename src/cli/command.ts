// What a command of the program is, and how it talks to people and to scripts.

import type { Config } from '../config.ts';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly placeholder?: string;
  readonly doc: string;
  readonly multiple?: boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Everything after the command's name, one line for each form. */
  readonly usage: readonly string[];
  /** Words behind its name that are not flags; more are refused before it runs. */
  readonly maxArgs: number;
  /** The settings (config.ts) that matter to the command. */
  readonly settings: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** A paragraph or two for `help COMMAND`. */
  readonly about: string;
  /** Its help for one form only, by the word after the command's name; undefined when there is no such form. */
  form?(word: string): Promise<CommandHelp> | undefined;
  run(invocation: Invocation): Promise<number>;
}

export type CommandHelp = Pick<Command, 'name' | 'summary' | 'usage' | 'settings' | 'options' | 'about'>;

export interface Invocation {
  readonly config: Config;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly output: Output;
}

/** Standard output for results, standard error for everything said on the way. */
export interface Output {
  readonly json: boolean;
  /** Whether a person watches standard error: progress bars then, plain lines elsewhere. */
  readonly live: boolean;
  readonly width: number;
  print(text: string): void;
  say(text: string): void;
}

/** The command was called in a way that it does not understand: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something failed for a reason that a person can act on: exit code 1, no stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
