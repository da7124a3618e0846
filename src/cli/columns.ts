// `tidemark columns`: lists the columns that the settings file defines, and checks them before a server pays for them.

import { OWN_DEFINITIONS } from '../domain/own/definitions.ts';
import { continues, reachOf, readsOf, recursionsIn, warmUpOf } from '../domain/own/facts.ts';
import { OWN_FUNCTIONS, SERIES } from '../domain/own/language.ts';
import { type OwnCost, ownCost } from '../publish/own-cost.ts';
import { type Store, StoreError } from '../store/store.ts';
import { type Action, runAction, withStore } from './actions.ts';
import type { Command, Invocation } from './command.ts';
import { counted, duration, facts, size, table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: 'list', options: [], args: [0, 0], run: list },
  check: { usage: 'check', options: [], args: [0, 0], run: check },
};

export const columnsCommand: Command = {
  name: 'columns',
  summary: 'List and check the columns that the settings file defines',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 1,
  settings: ['store'],
  options: {},
  about: `
list    lists them, with formula and window
check   the same, and what a publication costs with them: the rows of some assets are computed with and without

The settings file (tidemark.json, or --config FILE) defines columns for the whole store:

  "columns": {"ema9": "ema(close, 9)", "squeeze": "stdev(close, 20) / atr(14)"}

Series: ${SERIES.join(', ')}.
Functions: ${Object.values(OWN_FUNCTIONS)
    .map(({ form }) => form)
    .join(', ')}.
A definition that is wrong stops every command, with the place and the reason. A server computes new and changed columns in the background
after its start; columns that were removed disappear with the next start.`,
  run: invocation => runAction(columnsCommand, ACTIONS, invocation),
};

interface Described {
  readonly name: string;
  readonly formula: string;
  /** Closes for the first value. */
  readonly window: number;
  readonly reads: readonly string[];
  /** Every publication reads the whole history of an asset. */
  readonly wholeHistory: boolean;
}

function described(): Described[] {
  return OWN_DEFINITIONS.map(({ name, formula, node }) => ({
    name,
    formula,
    window: 1 + Math.max(reachOf(node), warmUpOf(node)),
    reads: ['close', ...readsOf(node)],
    wholeHistory: !continues(node),
  }));
}

function columnTable(): string {
  const rows = OWN_DEFINITIONS.map(({ node }, i) => {
    const { name, formula, window, reads, wholeHistory } = described()[i]!; // one for each
    const kind = wholeHistory ? 'whole history' : recursionsIn(node) > 0 ? 'continued' : 'window';
    return [name, formula, counted(window, 'day'), reads.join(', '), kind];
  });
  return table(['column', 'definition', 'first value after', 'reads', 'computed from'], rows);
}

const NONE = 'The settings file defines no columns. Write "columns": {"ema9": "ema(close, 9)"} in tidemark.json.';

async function list({ output }: Invocation): Promise<number> {
  if (output.json) output.print(JSON.stringify(described(), null, 2));
  else output.print(OWN_DEFINITIONS.length === 0 ? NONE : columnTable());
  return 0;
}

async function check({ config, output }: Invocation): Promise<number> {
  const cost = OWN_DEFINITIONS.length === 0 ? null : await costIn(config.store);
  if (output.json) {
    output.print(JSON.stringify({ columns: described(), cost }, null, 2));
    return 0;
  }
  if (OWN_DEFINITIONS.length === 0) {
    output.print(NONE);
    return 0;
  }
  output.print(columnTable());
  output.print(
    cost === null ? `\n${config.store} has no bars: what they cost is not known yet.` : `\n${costText(cost)}`,
  );
  return 0;
}

interface StoreCost extends OwnCost {
  readonly assets: number;
}

/** Null without a store or bars. */
async function costIn(url: string): Promise<StoreCost | null> {
  const measured = async (store: Store) => {
    const { assets } = await store.assetsSince(0);
    const numbers = assets.map(({ assetNumber }) => assetNumber);
    const cost = await ownCost(store, numbers);
    return cost && { ...cost, assets: numbers.length };
  };
  return withStore(url, false, measured).catch(error => {
    if (error instanceof StoreError && error.code === 'missing') return null;
    throw error;
  });
}

function costText({ assets, bytes, ...cost }: StoreCost): string {
  const all = (perAsset: number) => duration(perAsset * assets);
  return facts([
    [`Publication of all ${counted(assets, 'asset')}`, `${all(cost.with)}, without these columns ${all(cost.without)}`],
    ['Ratio', `${(cost.with / cost.without).toFixed(2)} ×`],
    ['The first one, in the background', all(cost.first)],
    ['Store', `${size(bytes * assets)} more`],
  ]);
}
