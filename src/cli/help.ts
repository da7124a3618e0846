// Help texts, generated from the tables of commands and settings.

import { environmentVariable, SETTINGS, type Setting } from '../config.ts';
import type { Command, CommandHelp, CommandOption } from './command.ts';
import { VERSION } from './version.ts';

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(command => command.name.length));
  return `Tidemark ${VERSION}: market data for digital assets, from your own server.

Usage: tidemark COMMAND [ARGUMENTS] [FLAGS]

Commands:
${commands.map(command => `  ${command.name.padEnd(width)}   ${command.summary}`).join('\n')}
  ${'help'.padEnd(width)}   Show this text; 'help COMMAND' describes one command

Start with 'tidemark serve --demo'.`;
}

export function commandHelp(command: CommandHelp): string {
  const usage = command.usage.map(form => `  tidemark ${command.name} ${form}`.trimEnd()).join('\n');
  return `${command.summary}

Usage:
${usage}

${command.about.trim()}

Flags:
${flagLines(command).join('\n')}`;
}

function flagLines(command: CommandHelp): string[] {
  const own = Object.entries(command.options).map(([name, option]) => ({
    flag: flagOf(name, option),
    doc: option.doc,
  }));
  const settings = command.settings.map(name => {
    const setting: Setting = SETTINGS[name as keyof typeof SETTINGS]; // see parseFlags in cli.ts
    const doc = `${setting.doc.replaceAll('`', '')} (${defaultOf(setting)}; or ${environmentVariable(name)})`;
    return { flag: flagOf(name, setting), doc };
  });
  const common = [
    { flag: '--config FILE', doc: 'JSON file with settings (default: tidemark.json, if it exists)' },
    { flag: '--json', doc: 'Print one JSON document on standard output' },
    { flag: '--debug', doc: 'Show the stack trace of an error' },
  ];
  const all = [...own, ...settings, ...common];
  const width = Math.max(...all.map(({ flag }) => flag.length));
  return all.map(({ flag, doc }) => `  ${flag.padEnd(width)}   ${doc}`);
}

function flagOf(name: string, option: CommandOption | Setting): string {
  return 'placeholder' in option ? `--${name} ${option.placeholder}` : `--${name}`;
}

function defaultOf(setting: Setting): string {
  if (!('placeholder' in setting)) return 'off by default';
  return setting.default === undefined ? 'not set by default' : `default ${setting.default}`;
}
