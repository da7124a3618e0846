// Commands with actions: the word after `tidemark keys` or `tidemark alerts` chooses what runs.

import { existsSync } from 'node:fs';
import { nearest } from '../common/nearest.ts';
import { SETTINGS } from '../config.ts';
import { quoted } from '../errors.ts';
import { openStore } from '../store/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import { type Command, CommandError, type Invocation, type Output, UsageError } from './command.ts';
import { DEMO_STORE } from './demo-url.ts';

export interface Action {
  /** Everything after the command's name. */
  readonly usage: string;
  /** The flags of the command that this action has. */
  readonly options: readonly string[];
  readonly args: readonly [least: number, most: number];
  run(invocation: Invocation): Promise<number>;
}

export async function runAction(
  { name: command, options }: Pick<Command, 'name' | 'options'>,
  actions: Readonly<Record<string, Action>>,
  invocation: Invocation,
  defaultAction?: string,
): Promise<number> {
  const [name = defaultAction, ...args] = invocation.args;
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(actionProblem(command, name, Object.keys(actions)));
  const [least, most] = action.args;
  if (args.length < least || args.length > most) {
    throw new UsageError(`usage: tidemark ${command} ${action.usage}; got ${args.length} arguments`);
  }
  for (const option of Object.keys(options)) {
    if (invocation.options[option] !== undefined && !action.options.includes(option)) {
      throw new UsageError(`${command} ${name} has no flag --${option}\nUsage: tidemark ${command} ${action.usage}`);
    }
  }
  return action.run({ ...invocation, args });
}

function actionProblem(command: string, name: string | undefined, known: readonly string[]): string {
  const meant = name === undefined ? null : nearest(name, known);
  const start = name === undefined ? `${command} needs an action` : `${command} has no action ${quoted(name)}`;
  const hint = meant === null ? '' : `; did you mean '${meant}'?`;
  return `${start}${hint}\nActions: ${known.join(', ')}. See 'tidemark help ${command}'.`;
}

/** Closes the store after the work, also after a failure. `create`: whether the command creates a store that does not exist. */
export async function withStore<T>(url: string, create: boolean, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, { create }).catch(error => {
    throw missingButDemo(error, url) ?? error;
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** For a command that reads data: says where the data is, if this store has none and the demo's has. */
export function readingStore<T>(
  url: string,
  output: Pick<Output, 'say'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return withStore(url, false, async store => {
    const note = await emptyNote(url, store);
    if (note !== null) output.say(note);
    return work(store);
  });
}

/** The demo has a store of its own: people who have only that one look for its data. */
function missingButDemo(error: unknown, url: string): CommandError | null {
  if (!(error instanceof StoreError && error.code === 'missing') || !isDemoMeant(url)) return null;
  return new CommandError(error.message, `${DEMO_HINT} 'tidemark ingest' creates the missing one.`, { cause: error });
}

const DEMO_HINT = `The data of the demo is in another store: add --store ${DEMO_STORE}.`;

/** Null if the store has prices, or if it is not known where others are. */
async function emptyNote(url: string, store: Pick<Store, 'totals'>): Promise<string | null> {
  if (!isDemoMeant(url) || (await store.totals()).bars > 0) return null;
  return `${url} holds no prices. ${DEMO_HINT}`;
}

function isDemoMeant(url: string): boolean {
  return url === SETTINGS.store.default && existsSync(DEMO_STORE.slice('sqlite:'.length));
}
