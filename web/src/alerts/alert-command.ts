// The command that makes the current screen an alert.

import { queryString } from '../../../client/src/query-string.ts';
import { screenFilters } from '../screen-filters.ts';

export const DIRECTIONS = [
  { id: 'enter', label: 'enter the screen' },
  { id: 'leave', label: 'leave the screen' },
  { id: 'both', label: 'enter or leave' },
] as const;

export const FORMATS = [
  { id: 'slack', label: 'Slack', to: 'https://hooks.slack.com/services/…' },
  { id: 'discord', label: 'Discord', to: 'https://discord.com/api/webhooks/…' },
  { id: 'ntfy', label: 'ntfy', to: 'https://ntfy.sh/YOUR-TOPIC' },
  { id: 'json', label: 'your own service (JSON)', to: 'https://YOUR-SERVICE/webhook' },
] as const;

export interface AlertForm {
  readonly name: string;
  readonly on: (typeof DIRECTIONS)[number]['id'];
  readonly format: (typeof FORMATS)[number]['id'];
}

export const WHEN = { enter: 'assets enter', leave: 'assets leave', both: 'assets enter or leave' } as const;

/** The query of the screen; empty if it has no filter. An alert is about the newest closes, never about a past day. */
export function alertQuery(search: string): string {
  const { as_of: _, interval, quote, ...filters } = screenFilters(search);
  if (Object.keys(filters).length === 0) return '';
  return decoded(queryString({ ...filters, interval, quote }).slice(1));
}

/** Stands in a command for the store of the server, which only pages on the same machine are told. */
export const UNKNOWN_STORE = 'STORE_OF_THE_SERVER';

export interface AlertCommands {
  readonly program: string;
  /** The flag, with a space before it; empty if the program uses the same store without it. */
  readonly store: string;
}

/** `keyCommand` is the command of this server that creates API keys, which names its store; null if the server does not state it. */
export function commandsOf(keyCommand: string | null): AlertCommands {
  if (keyCommand === null) return { program: 'tidemark', store: ` --store ${UNKNOWN_STORE}` };
  const [, program = 'tidemark'] = /^(.+?) keys create /.exec(keyCommand) ?? [];
  const [store = ''] = / --store (?:'(?:[^']|'\\'')*'|\S+)/.exec(keyCommand) ?? [];
  return { program, store };
}

export function alertCommand({ name, on, format }: AlertForm, query: string, keyCommand: string | null): string {
  const { program, store } = commandsOf(keyCommand);
  const { to } = FORMATS.find(each => each.id === format)!;
  const parts = [
    `${program} alerts create --name ${quoted(name.trim() || 'my screen')}`,
    `  --query ${quoted(query)}`,
    `  --on ${on} --format ${format} --to ${quoted(to)}${store}`,
  ];
  return parts.join(' \\\n');
}

/** Readable, except for what separates parameters. */
function decoded(query: string): string {
  return query.replaceAll(/%(?!2[56B]|23)[0-9A-F]{2}/gi, text => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  });
}

/** One word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
