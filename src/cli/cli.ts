// The command line: finds the command, parses its flags, runs it, and turns errors into a message and an exit code.

import { fileFault } from '../common/file-fault.ts';
import { nearest } from '../common/nearest.ts';
import { ConfigError, type RawValues, resolveConfig } from '../config.ts';
import { OwnColumnError } from '../domain/own/language.ts';
import { TierError } from '../domain/tiers.ts';
import { SourceUsageError } from '../ingest/source.ts';
import { PriceRuleError } from '../publish/price-settings.ts';
import { StoreError } from '../store/store.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { COMMAND_NAMES, loadCommand, loadCommands } from './commands.ts';
import { readConfigFile } from './config-file.ts';
import { declareColumns } from './declare-columns.ts';
import { parseFlags } from './flags.ts';
import { commandHelp, overview } from './help.ts';
import { asTyped } from './program.ts';
import { counted, terminalText } from './terminal.ts';
import { VERSION } from './version.ts';

export async function runCommandLine(argv: readonly string[], env: RawValues): Promise<number> {
  const debug = argv.includes('--debug');
  try {
    return await dispatch(argv, env);
  } catch (error) {
    return explain(error, debug);
  }
}

async function dispatch(argv: readonly string[], env: RawValues): Promise<number> {
  const [first, ...rest] = argv;
  const wrongColumns = await declareColumns(argv, env);
  if (first === undefined || first === '--help' || first === '-h') return print(overview(await loadCommands()));
  if (first === '--version' || first === 'version') {
    refuseExtra(first, rest, 0);
    return print(`tidemark ${VERSION}`);
  }
  if (first === 'help') {
    if (rest[0] === undefined) return print(overview(await loadCommands()));
    const command = await findCommand(rest[0]);
    refuseExtra('help', rest, command.form === undefined ? 1 : 2);
    return print(await helpOf(command, rest[1]));
  }
  if (wrongColumns !== null) throw wrongColumns;
  const command = await findCommand(first);
  const { values, positionals } = parseFlags(command, rest);
  if (values['help'] === true) return print(await helpOf(command, positionals[0]));
  refuseExtra(command.name, positionals, command.maxArgs);
  const path = typeof values['config'] === 'string' ? values['config'] : undefined;
  const { file, filePath } = readConfigFile(path);
  // The flag --open of `correct` is a price, not the setting of that name.
  const settings = Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(command.options, name)));
  const config = resolveConfig(settings, env, file, filePath);
  const output = terminalOutput(values['json'] === true);
  return command.run({ config, args: positionals, options: values, output });
}

async function helpOf(command: Command, word: string | undefined): Promise<string> {
  return commandHelp((word === undefined ? undefined : await command.form?.(word)) ?? command);
}

function print(text: string): number {
  process.stdout.write(`${forPeople(text.trimEnd())}\n`);
  return 0;
}

/** Without control characters, and with commands that can be pasted. */
function forPeople(text: string): string {
  return terminalText(asTyped(text));
}

/** A word that is ignored would hide a mistake: `serve demo` is not `serve --demo`. */
function refuseExtra(name: string, args: readonly string[], most: number): void {
  if (args.length <= most) return;
  const words = most === 0 ? 'no argument' : counted(most, 'argument');
  // `npm start --port 8081` gives the flag to npm, and its value to the program.
  const npm = name === 'serve' ? '\nFlags begin with --. With npm they follow a --: npm start -- --port 8081' : '';
  throw new UsageError(`${name} takes ${words}, but got ${JSON.stringify(args[most])}${npm}`);
}

async function findCommand(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command) return command;
  const hint = nearest(name, COMMAND_NAMES);
  throw new UsageError(
    `unknown command ${JSON.stringify(name)}${hint === null ? '' : `; did you mean '${hint}'?`}\n` +
      `Commands: ${COMMAND_NAMES.join(', ')}. See 'tidemark help'.`,
  );
}

function terminalOutput(json: boolean): Output {
  return {
    json,
    live: process.stderr.isTTY === true,
    width: process.stderr.columns ?? 100,
    print: text => void process.stdout.write(`${json ? terminalText(text) : forPeople(text)}\n`),
    say: text => void process.stderr.write(`${forPeople(text)}\n`),
  };
}

const WRONG_USAGE = [UsageError, ConfigError, TierError, PriceRuleError, SourceUsageError, OwnColumnError];

/** Prints the error on standard error. The exit code is 2 for wrong usage, 1 for everything else. */
function explain(error: unknown, debug: boolean): number {
  const badUrl = error instanceof StoreError && error.code === 'bad_url';
  const wrongUsage = badUrl || WRONG_USAGE.some(kind => error instanceof kind);
  const problem = fileFault(error) ?? (error instanceof Error ? error : new Error(String(error)));
  const say = (text: string | undefined) => process.stderr.write(`${forPeople(text ?? '')}\n`);
  say(`tidemark: ${problem.message}`);
  const expected = wrongUsage || 'hint' in problem;
  if ('hint' in problem && typeof problem.hint === 'string') say(problem.hint);
  if (debug) say(problem.stack);
  else if (!expected) say('This should not happen. The same command with --debug shows where.');
  return wrongUsage ? 2 : 1;
}
