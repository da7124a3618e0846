// `tidemark loads`: lists loads, and takes the bars of one out again.

import { isRemoval, planUndo, type UndoPlan, undoLoad } from '../ingest/corrections.ts';
import { withAbandoned } from '../ingest/only-writer.ts';
import { type Action, readingStore, runAction, withStore } from './actions.ts';
import { type Command, CommandError, type Invocation, UsageError } from './command.ts';
import { confirmed } from './confirm.ts';
import { loadTable } from './load-table.ts';
import { storeFlag } from './program.ts';
import { barWords, count, counted } from './terminal.ts';

const SHOWN = 20;

const OPTIONS: Command['options'] = {
  limit: { placeholder: 'N', doc: `How many loads to list (default ${SHOWN})` },
  yes: { doc: 'Do it without asking' },
};

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: 'list [--limit N]', options: ['limit'], args: [0, 0], run: list },
  undo: { usage: 'undo N [--yes]', options: ['yes'], args: [1, 1], run: undo },
};

export const loads: Command = {
  name: 'loads',
  summary: 'List loads, and undo one',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 2,
  settings: ['store'],
  options: OPTIONS,
  about: `
list   lists the newest loads, with the number of each
undo   removes the bars that a load brought, and publishes the result; running servers show it within two seconds

Undoing says first what it would remove, and asks; scripts give --yes. A bar that replaced an earlier one is removed as well: the store
does not keep the earlier one, so load its file again. Profiles, names and ranks that the load brought stay. The undoing is
recorded as a load of its own.`,
  run: invocation => runAction(loads, ACTIONS, invocation),
};

async function list({ config, options, output }: Invocation): Promise<number> {
  const limit = options['limit'] === undefined ? SHOWN : positive(String(options['limit']), '--limit');
  return readingStore(config.store, output, async store => {
    const found = await withAbandoned(store, await store.loads(limit));
    if (output.json) output.print(JSON.stringify(found, null, 2));
    else output.print(found.length === 0 ? 'There are no loads yet.' : loadTable(found));
    return 0;
  });
}

/** The load of a bar is the one that brought its close. */
const REST = 'To correct opens, highs, lows or volumes that it changed, load the right ones.';

async function undo(invocation: Invocation): Promise<number> {
  const { args, config, output } = invocation;
  const number = positive(args[0]!, 'undo');
  return withStore(config.store, false, async store => {
    const plan = await planUndo(store, number);
    if (plan === null) {
      const hint = `'tidemark loads list${storeFlag(config.store)}' lists those that are known.`;
      throw new CommandError(`the store has no load ${number}`, hint);
    }
    const [load] = await withAbandoned(store, [plan.load]);
    if (load?.state === 'running') throw new CommandError(`load ${number} is running`, 'Stop it first.');
    if (isRemoval(plan.load)) {
      const hint = 'Restore a backup, or load the bars again.';
      throw new CommandError(`load ${number} is the ${plan.load.source}, which cannot be undone`, hint);
    }
    if (Object.values(plan.bars).every(bars => bars === 0)) {
      const text = `Load ${number} brought no close that is still stored: there is nothing to undo. ${REST}`;
      output.print(output.json ? JSON.stringify({ load: null, removed: 0 }) : text);
      return 0;
    }
    if (!(await confirmed(planText(plan), invocation))) return 1;
    const done = await undoLoad(store, plan);
    const text = `${counted(done.removed, 'bar')} removed, version ${done.version} published; recorded as load ${done.load}`;
    output.print(output.json ? JSON.stringify(done) : text);
    return 0;
  });
}

function planText({ load, bars, assets, replaced }: UndoPlan): string {
  const lines = [
    `Undoing load ${load.id} (${load.source}, ${load.startedAt.slice(0, 16).replace('T', ' ')}) removes ` +
      `${barWords(bars)} of ${counted(assets, 'asset')}.`,
  ];
  if (replaced > 0) {
    lines.push(
      `${count(replaced)} of them replaced earlier bars, which the store does not keep: load their file again afterwards.`,
    );
  }
  return lines.join('\n');
}

function positive(text: string, what: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${what}: expected a whole number from 1, got ${JSON.stringify(text)}`);
  return Number(text);
}
