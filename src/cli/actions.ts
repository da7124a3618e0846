// Commands with actions: the word after `tidemark keys` or `tidemark alerts` chooses what runs.

import { nearest } from '../common/nearest.ts';
import { quoted } from '../errors.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Invocation, UsageError } from './command.ts';

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
): Promise<number> {
  const [name, ...args] = invocation.args;
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

/** Closes the store after the work, also after a failure. */
export async function withStore<T>(url: string, create: boolean, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, { create });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
