// `tidemark acceptances`: lists accepted findings, and opens one again.

import { findingNames, parseFindingName } from '../publish/review.ts';
import { type Action, readingStore, runAction, withStore } from './actions.ts';
import { type Command, CommandError, type Invocation, UsageError } from './command.ts';
import { onlyAsset } from './named-asset.ts';
import { storeFlag } from './program.ts';
import { published, shortTime } from './review-work.ts';
import { table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: '[list]', options: [], args: [0, 0], run: list },
  undo: { usage: 'undo FINDING', options: [], args: [1, 1], run: undo },
};

export const acceptances: Command = {
  name: 'acceptances',
  summary: 'List accepted findings, and open one again',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 2,
  settings: ['store'],
  options: {},
  about: `
list   lists the findings that were accepted, with time and reason
undo   opens a finding again`,
  run: invocation => runAction(acceptances, ACTIONS, invocation, 'list'),
};

async function list({ config, output }: Invocation): Promise<number> {
  return readingStore(config.store, output, async store => {
    const accepted = await store.acceptances();
    const ids = new Map((await store.assets()).map(({ assetNumber, id }) => [assetNumber, id]));
    const nameOf = findingNames(accepted, asset => ids.get(asset) ?? `asset ${asset}`);
    const entries = accepted.map(each => ({ finding: nameOf(each), reason: each.reason, createdAt: each.createdAt }));
    if (output.json) output.print(JSON.stringify(entries, null, 2));
    else if (entries.length === 0) output.print('No finding was accepted.');
    else {
      const rows = entries.map(each => [each.finding, shortTime(each.createdAt), each.reason]);
      output.print(table(['finding', 'accepted', 'reason'], rows));
    }
    return 0;
  });
}

async function undo({ args, config, output }: Invocation): Promise<number> {
  const name = args[0]!;
  const parsed = parseFindingName(name);
  if (parsed === null) throw new UsageError(`${JSON.stringify(name)} is not the name of a finding`);
  return withStore(config.store, false, async store => {
    const { assetNumber } = onlyAsset(await store.assets(), parsed.asset, config.store);
    const { asset, source, ...place } = parsed;
    const matching = (await store.acceptances()).filter(
      each =>
        each.assetNumber === assetNumber &&
        each.rule === place.rule &&
        each.interval === place.interval &&
        each.period === place.period &&
        (source === null || each.source === source),
    );
    const [found] = matching;
    if (found === undefined) {
      const hint = `'tidemark acceptances${storeFlag(config.store)}' lists those that were.`;
      throw new CommandError(`${name} was not accepted`, hint);
    }
    if (matching.length > 1) throw new CommandError(`${name} was accepted for several sources`, 'Add :SOURCE to it.');
    const { recomputed } = await published(store, () => store.removeAcceptance(found));
    const { version } = recomputed;
    output.print(
      output.json ? JSON.stringify({ finding: name, version }) : `${name} is open again, version ${version} published`,
    );
    return 0;
  });
}
