// `tidemark assets`: lists assets, removes one, or merges one into another.

import type { Asset } from '../domain/asset.ts';
import { FIRST_DAY, isoFromDay } from '../domain/day.ts';
import { BASE_INTERVALS, type BaseInterval } from '../domain/interval.ts';
import { lastPeriod, removeAsset } from '../ingest/corrections.ts';
import { countMissing, mergeAssets } from '../ingest/merge-assets.ts';
import type { Store } from '../store/store.ts';
import { type Action, readingStore, runAction, withStore } from './actions.ts';
import { type Command, CommandError, type Invocation } from './command.ts';
import { confirmed } from './confirm.ts';
import { isoOrNull } from './days.ts';
import { isKnown } from './inactive-note.ts';
import { onlyAsset } from './named-asset.ts';
import { storeFlag } from './program.ts';
import { barWords, count, counted, table } from './terminal.ts';

const PERIOD_NAMES = { '1m': 'minute', '1h': 'hour', '1d': 'day' } as const;

const REVIEW_NAMES = [
  ['corrections', 'correction'],
  ['actions', 'action'],
  ['findings', 'recorded finding'],
  ['acceptances', 'acceptance'],
] as const;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: 'list [TEXT]', options: [], args: [0, 1], run: list },
  remove: { usage: 'remove ASSET [--yes]', options: ['yes'], args: [1, 1], run: remove },
  merge: { usage: 'merge FROM INTO [--yes]', options: ['yes'], args: [2, 2], run: merge },
};

export const assets: Command = {
  name: 'assets',
  summary: 'List assets, remove one, or merge two',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: 3,
  settings: ['store'],
  options: { yes: { doc: 'Do it without asking' } },
  about: `
list     lists the assets whose id, ticker or name contains the text, or all
remove   removes an asset with its bars of all intervals and its profile
merge    gives the bars of FROM to INTO, of days, hours and minutes of which INTO has none, with the corrections, findings and
         acceptances of these bars, and the actions of FROM; then removes FROM

An asset is named by its id (btc-bitcoin), or by its ticker if no other asset has it. Removing and merging say first what they
would do, and ask; scripts give --yes. They are published, so that running servers show them within two seconds, and recorded as
loads. They cannot be undone: make a backup first if in doubt.`,
  run: invocation => runAction(assets, ACTIONS, invocation),
};

async function list({ args, config, output }: Invocation): Promise<number> {
  const text = args[0]?.toLowerCase() ?? '';
  return readingStore(config.store, output, async store => {
    const found = (await store.assets())
      .filter(isKnown)
      .filter(({ id, symbol, name }) => [id, symbol, name].some(each => each.toLowerCase().includes(text)))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (output.json) output.print(JSON.stringify(found.map(entryOf), null, 2));
    else if (found.length === 0) output.print('No asset matches.');
    else {
      const rows = found.map(({ id, symbol, name, bars, firstDay, lastDay }) => [
        ...[id, symbol, name, count(bars)],
        ...[firstDay, lastDay].map(day => (day === null ? '–' : isoFromDay(day))),
      ]);
      output.print(table(['id', 'ticker', 'name', '>days', 'first day', 'last day'], rows));
    }
    return 0;
  });
}

function entryOf({ id, symbol, name, rank, bars, firstDay, lastDay }: Asset) {
  return { id, symbol, name, rank, bars, firstDay: isoOrNull(firstDay), lastDay: isoOrNull(lastDay) };
}

async function remove(invocation: Invocation): Promise<number> {
  const { args, config, output } = invocation;
  return withStore(config.store, false, async store => {
    const asset = await onlyAsset(await store.assets(), args[0]!, config.store);
    if (!(await confirmed(`This removes ${await words(store, asset)}.`, invocation))) return 1;
    const done = await removeAsset(store, asset);
    const text = `${asset.id} removed, version ${done.version} published; recorded as load ${done.load}`;
    output.print(output.json ? JSON.stringify({ id: asset.id, ...done }) : text);
    return 0;
  });
}

async function merge(invocation: Invocation): Promise<number> {
  const { args, config, output } = invocation;
  return withStore(config.store, false, async store => {
    const [from, into] = [
      await onlyAsset(await store.assets(), args[0]!, config.store),
      await onlyAsset(await store.assets(), args[1]!, config.store),
    ];
    if (from.assetNumber === into.assetNumber) {
      throw new CommandError(`both names are of ${from.id}`, 'Name two different assets.');
    }
    const counts = await countMissing(store, from, into);
    const moved = barWords(Object.fromEntries(counts.map(({ interval, missing }) => [interval, missing])));
    const both = counts.filter(({ bars, missing }) => bars > missing);
    const shared = both
      .map(({ interval, bars, missing }) => counted(bars - missing, PERIOD_NAMES[interval]))
      .join(', ');
    const gone = both.length === 0 ? '' : ` On ${shared} both have a bar: those of ${into.id} stay.`;
    const plan = `This gives ${moved} of ${from.id} to ${into.id}.${gone}\nThen it removes ${await words(store, from)}.${otherWay(from, into, config.store)}`;
    if (!(await confirmed(plan, invocation))) return 1;
    const done = await mergeAssets(store, from, into);
    const reviews = REVIEW_NAMES.filter(([kind]) => done.reviews[kind] > 0);
    const parts = [counted(done.moved, 'bar'), ...reviews.map(([kind, name]) => counted(done.reviews[kind], name))];
    const text = `${parts.join(', ')} moved, ${from.id} removed, version ${done.version} published; recorded as load ${done.load}`;
    output.print(output.json ? JSON.stringify({ from: from.id, into: into.id, ...done }) : text);
    return 0;
  });
}

/** A profile is lost if the other asset has none. */
function otherWay(from: Asset, into: Asset, store: string): string {
  if (from.provisional || !into.provisional) return '';
  const command = `tidemark assets merge ${into.id} ${from.id}${storeFlag(store)}`;
  return `\n${into.id} has no profile. '${command}' keeps the profile, name and ticker of ${from.id}.`;
}

async function words(store: Store, asset: Asset): Promise<string> {
  const { id, symbol, name, assetNumber, firstDay, lastDay, provisional } = asset;
  const bars: Partial<Record<BaseInterval, number>> = {};
  for (const interval of BASE_INTERVALS) {
    const { day } = await store.series(interval).bars(assetNumber, FIRST_DAY, lastPeriod(interval));
    bars[interval] = day.length;
  }
  const days = firstDay === null || lastDay === null ? '' : ` from ${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
  return `${id} (${symbol === name ? symbol : `${symbol}, ${name}`}) with ${barWords(bars)}${days}${provisional ? '' : ' and its profile'}`;
}
