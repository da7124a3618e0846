// The command line: finds the command, reads its flags, runs it, and turns what went wrong into words and an exit code.

import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nearest } from '../common/nearest.ts';
import { ConfigError, type RawValues, resolveConfig, SETTINGS } from '../config.ts';
import { StoreError } from '../store/store.ts';
import { type Command, type Invocation, type Output, UsageError } from './command.ts';
import { COMMAND_NAMES, loadCommand, loadCommands } from './commands.ts';
import { commandHelp, overview } from './help.ts';
import { terminalText } from './terminal.ts';
import { VERSION } from './version.ts';

/** Flags that every command takes. */
const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  debug: { type: 'boolean' },
  config: { type: 'string' },
} as const;

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
  if (first === undefined || first === '--help' || first === '-h') return print(overview(await loadCommands()));
  if (first === '--version' || first === 'version') return print(`tidemark ${VERSION}`);
  if (first === 'help') {
    return print(rest[0] === undefined ? overview(await loadCommands()) : commandHelp(await findCommand(rest[0])));
  }
  const command = await findCommand(first);
  const { values, positionals } = parseFlags(command, rest);
  if (values['help'] === true) return print(commandHelp(command));
  const path = typeof values['config'] === 'string' ? values['config'] : undefined;
  const { file, filePath } = readConfigFile(path);
  const config = resolveConfig(values, env, file, filePath);
  const output = terminalOutput(values['json'] === true);
  return command.run({ config, args: positionals, options: values, output });
}

function print(text: string): number {
  process.stdout.write(`${terminalText(text.trimEnd())}\n`);
  return 0;
}

async function findCommand(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command) return command;
  const hint = nearest(name, COMMAND_NAMES);
  throw new UsageError(
    `there is no command ${JSON.stringify(name)}${hint === null ? '' : `; did you mean '${hint}'?`}\n` +
      `Commands: ${COMMAND_NAMES.join(', ')}. 'tidemark help' tells more.`,
  );
}

function parseFlags(command: Command, argv: readonly string[]) {
  const flags: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = { ...COMMON };
  for (const name of command.settings) {
    const setting = SETTINGS[name as keyof typeof SETTINGS]; // a test checks that commands name settings of the table
    flags[name] = { type: setting.type === 'flag' ? 'boolean' : 'string' };
  }
  for (const [name, { type, multiple }] of Object.entries(command.options)) {
    flags[name] = { type, multiple: multiple ?? false };
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

/** `tidemark.json` in the working directory is read when it is there; a file named by --config must be. */
function readConfigFile(path: string | undefined): { file: RawValues; filePath: string } {
  const filePath = path ?? 'tidemark.json';
  if (path === undefined && !existsSync(filePath)) return { file: {}, filePath };
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(filePath, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${filePath}: cannot be read as JSON (${error instanceof Error ? error.message : error})`);
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw new ConfigError(`${filePath}: expected an object of settings, like {"port": 8080}`);
  }
  return { file: file as RawValues, filePath };
}

function terminalOutput(json: boolean): Output {
  return {
    json,
    live: process.stderr.isTTY === true,
    width: process.stderr.columns ?? 100,
    print: text => void process.stdout.write(`${terminalText(text)}\n`),
    say: text => void process.stderr.write(`${terminalText(text)}\n`),
  };
}

/** Words for a person on standard error; the exit code is 2 for wrong usage, 1 for everything else. */
function explain(error: unknown, debug: boolean): number {
  const badUrl = error instanceof StoreError && error.code === 'bad_url';
  const wrongUsage = error instanceof UsageError || error instanceof ConfigError || badUrl;
  const problem = error instanceof Error ? error : new Error(String(error));
  const say = (text: string | undefined) => process.stderr.write(`${terminalText(text ?? '')}\n`);
  say(`tidemark: ${problem.message}`);
  const expected = wrongUsage || 'hint' in problem;
  if ('hint' in problem && typeof problem.hint === 'string') say(problem.hint);
  if (debug) say(problem.stack);
  else if (!expected) say('This should not happen. The same command with --debug shows where.');
  return wrongUsage ? 2 : 1;
}
