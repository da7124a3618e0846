// `tidemark actions`: redenominations of assets, and tokens that became others.

import { type Day, dayFromIso, isoFromDay } from '../domain/day.ts';
import { actionProblem, parseRatio, readActions } from '../ingest/actions-file.ts';
import type { NewAction, Store } from '../store/store.ts';
import { type Action, readingStore, runAction, withStore } from './actions.ts';
import { type Command, CommandError, type Invocation, UsageError } from './command.ts';
import { onlyAsset } from './named-asset.ts';
import { storeFlag } from './program.ts';
import { positive, published, shortTime } from './review-work.ts';
import { counted, table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: '[list]', options: [], args: [0, 0], run: list },
  add: {
    usage: 'add --asset ASSET --day DAY [--ratio R] [--from-asset OLD] [--reason TEXT]',
    options: ['asset', 'day', 'ratio', 'from-asset', 'reason'],
    args: [0, 0],
    run: add,
  },
  remove: { usage: 'remove N', options: [], args: [1, 1], run: remove },
};

export const assetActions: Command = {
  name: 'actions',
  summary: 'Enter redenominations and migrations, list and remove them',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 2,
  settings: ['store'],
  options: {
    asset: { placeholder: 'ASSET', doc: 'The asset, by its id, or by its ticker if no other asset has it' },
    day: { placeholder: 'DAY', doc: 'The first day in new units, such as 2024-03-01' },
    ratio: { placeholder: 'R', doc: 'Old units per new one, such as 1000 (default with --from-asset: 1)' },
    'from-asset': { placeholder: 'OLD', doc: 'The asset that became this one: its bars before that day are continued' },
    reason: { placeholder: 'TEXT', doc: 'Why, such as the address of the announcement; it is stored and listed' },
  },
  about: `
list     lists the actions, with the number of each
add      enters one: prices before the day are multiplied by the ratio, volumes divided by it
remove   removes one: what is served is then as without it

What the sources delivered stays stored as it is. 'tidemark ingest actions FILE' enters those of a CSV file.`,
  run: invocation => runAction(assetActions, ACTIONS, invocation, 'list'),
};

async function list({ config, output }: Invocation): Promise<number> {
  return readingStore(config.store, output, async store => {
    const ids = new Map((await store.assets()).map(({ assetNumber, id }) => [assetNumber, id]));
    const entries = (await store.actions()).map(
      ({ number, assetNumber, day, ratio, fromAsset, reason, createdAt }) => ({
        number,
        asset: ids.get(assetNumber) ?? null,
        day: isoFromDay(day as Day), // only days are stored
        ratio,
        fromAsset: fromAsset === null ? null : (ids.get(fromAsset) ?? null),
        reason,
        createdAt,
      }),
    );
    if (output.json) output.print(JSON.stringify(entries, null, 2));
    else if (entries.length === 0) output.print('No actions.');
    else {
      const rows = entries.map(each => [
        String(each.number),
        each.asset ?? '?',
        each.day,
        String(each.ratio),
        each.fromAsset ?? '',
        shortTime(each.createdAt),
        each.reason,
      ]);
      output.print(table(['>number', 'asset', 'day', '>ratio', 'from asset', 'entered', 'reason'], rows));
    }
    return 0;
  });
}

async function add({ options, config, output }: Invocation): Promise<number> {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const [asset, written, old] = [text('asset'), text('day'), text('from-asset')];
  if (asset === undefined) throw new UsageError('--asset is missing, such as --asset btc-bitcoin');
  const day = dayFromIso(written ?? '');
  if (day === null)
    throw new UsageError(`--day: expected a day such as 2024-03-01, got ${JSON.stringify(written ?? '')}`);
  const ratio = parseRatio(text('ratio') ?? (old === undefined ? '' : '1'));
  if (ratio === null) throw new UsageError('--ratio: expected a number above 0: old units per new one, such as 1000');
  const problem = actionProblem({ day, ratio, isMigration: old !== undefined });
  if (problem !== null) throw new UsageError(`--${problem.part}: ${problem.text}`);
  return withStore(config.store, false, async store => {
    const all = await store.assets();
    const { assetNumber, id } = onlyAsset(all, asset, config.store);
    const from = old === undefined ? null : onlyAsset(all, old, config.store);
    if (from?.assetNumber === assetNumber)
      throw new CommandError(`both names are of ${id}`, 'Name two different assets.');
    const action = { assetNumber, day, ratio, fromAsset: from?.assetNumber ?? null, reason: text('reason') ?? '' };
    const { numbers, version } = await enter(store, [action]);
    const what = from === null ? `${id} was redenominated by ${ratio}` : `${from.id} became ${id}`;
    const entered = `action ${numbers[0]}: ${what} on ${written}, version ${version} published; 'tidemark actions remove ${numbers[0]}${storeFlag(config.store)}' takes it back`;
    output.print(output.json ? JSON.stringify({ action: numbers[0], version }) : entered);
    return 0;
  });
}

/** The actions of a file, all or none. */
export async function addFile(store: Store, path: string, { config, output }: Invocation): Promise<number> {
  const lines = await readActions(path);
  const all = await store.assets();
  const actions = lines.map(({ where, asset, fromAsset, day, ratio, reason }): NewAction => {
    const found = (name: string) => {
      try {
        return onlyAsset(all, name, config.store).assetNumber;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        throw new CommandError(`${where}: ${error.message}`, error.hint);
      }
    };
    const action = {
      assetNumber: found(asset),
      fromAsset: fromAsset === null ? null : found(fromAsset),
      day,
      ratio,
      reason,
    };
    if (action.assetNumber === action.fromAsset)
      throw new CommandError(`${where}: both assets are the same`, 'Name two.');
    return action;
  });
  const { numbers, version } = await enter(store, actions);
  const text = `actions  ${counted(numbers.length, 'action')} entered, version ${version} published`;
  output.print(output.json ? JSON.stringify({ source: 'actions', actions: numbers, version }) : text);
  return 0;
}

async function enter(store: Store, actions: readonly NewAction[]): Promise<{ numbers: number[]; version: number }> {
  const { result: numbers, recomputed } = await published(
    store,
    () => store.addActions(actions),
    actions.flatMap(({ assetNumber, fromAsset }) => (fromAsset === null ? [assetNumber] : [assetNumber, fromAsset])),
  );
  return { numbers, version: recomputed.version };
}

async function remove({ args, config, output }: Invocation): Promise<number> {
  const number = positive(args[0]!, 'remove');
  return withStore(config.store, false, async store => {
    const { result, recomputed } = await published(store, () => store.removeAction(number));
    if (result === null) {
      throw new CommandError(`unknown action ${number}`, `'tidemark actions${storeFlag(config.store)}' lists them.`);
    }
    const { version } = recomputed;
    output.print(
      output.json
        ? JSON.stringify({ action: number, version })
        : `action ${number} removed, version ${version} published`,
    );
    return 0;
  });
}
