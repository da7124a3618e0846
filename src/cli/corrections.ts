// `tidemark corrections`: lists corrected bars, and takes a correction back.

import { periodText } from '../domain/period-text.ts';
import { countingCorrections } from '../publish/review.ts';
import { type Action, readingStore, runAction, withStore } from './actions.ts';
import { type Command, CommandError, type Invocation } from './command.ts';
import { storeFlag } from './program.ts';
import { positive, published, shortTime } from './review-work.ts';
import { table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: '[list]', options: [], args: [0, 0], run: list },
  undo: { usage: 'undo N', options: [], args: [1, 1], run: undo },
};

export const corrections: Command = {
  name: 'corrections',
  summary: 'List corrected bars, and undo a correction',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 2,
  settings: ['store'],
  options: {},
  about: `
list   lists the corrections with time and reason, those that were undone too
undo   takes one back: what is served is then as without it

Of several corrections of one bar, the newest that is not undone counts.`,
  run: invocation => runAction(corrections, ACTIONS, invocation, 'list'),
};

async function list({ config, output }: Invocation): Promise<number> {
  return readingStore(config.store, output, async store => {
    const found = await store.corrections();
    const ids = new Map((await store.assets()).map(({ assetNumber, id }) => [assetNumber, id]));
    const counting = new Set(countingCorrections(found).map(({ number }) => number));
    const entries = found.map(({ assetNumber, period, ...each }) => ({
      ...each,
      asset: ids.get(assetNumber) ?? null,
      period: periodText(each.interval, period),
      state: each.undoneAt !== null ? 'undone' : counting.has(each.number) ? 'counts' : 'replaced',
    }));
    if (output.json) output.print(JSON.stringify(entries, null, 2));
    else if (entries.length === 0) output.print('No corrections.');
    else {
      const rows = entries.map(each => [
        String(each.number),
        each.asset ?? '?',
        each.interval,
        each.period,
        each.close === null ? 'no bar' : String(each.close),
        each.state,
        shortTime(each.createdAt),
        each.reason,
      ]);
      output.print(table(['>number', 'asset', 'interval', 'period', '>close', 'state', 'entered', 'reason'], rows));
    }
    return 0;
  });
}

async function undo({ args, config, output }: Invocation): Promise<number> {
  const number = positive(args[0]!, 'undo');
  return withStore(config.store, false, async store => {
    const { result, recomputed } = await published(store, () => store.undoCorrection(number));
    if (result === null) {
      const hint = `'tidemark corrections${storeFlag(config.store)}' lists them.`;
      throw new CommandError(`unknown correction ${number}, or undone already`, hint);
    }
    const { version } = recomputed;
    output.print(
      output.json
        ? JSON.stringify({ correction: number, version })
        : `correction ${number} undone, version ${version} published`,
    );
    return 0;
  });
}
