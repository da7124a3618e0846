// `tidemark sources`: what each source has of an asset, and how often it decided the served price.

import type { Asset } from '../domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, type Period } from '../domain/interval.ts';
import { periodText } from '../domain/period-text.ts';
import { readOrdered, type SourceSummary, summarize } from '../publish/source-summary.ts';
import type { Store } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, UsageError } from './command.ts';
import { namedAsset } from './named-asset.ts';
import { count, table } from './terminal.ts';

export const sourcesCommand: Command = {
  name: 'sources',
  summary: 'Show the sources of assets, and which decided the served prices',
  usage: ['[--asset ASSET] [--interval 1d]'],
  maxArgs: 0,
  settings: ['store'],
  options: {
    asset: {
      placeholder: 'ASSET',
      doc: 'Only this one, by its id or ticker; without it, every asset with several sources',
    },
    interval: { placeholder: BASE_INTERVALS.join('|'), doc: 'Of which bars (default 1d)' },
  },
  about: `
Shows the first and last period of each source, its bars, the share of served periods whose close it decided, and the median and
largest distance of its closes from the served ones. --price-rule and --source-order set how the served price is made.`,
  async run({ config, options, output }) {
    const interval = intervalOf(options['interval']);
    const name = options['asset'];
    return readingStore(config.store, output, async store => {
      const assets = await store.assets();
      const chosen = typeof name === 'string' ? [namedAsset(assets, name)] : await withSeveral(store, assets);
      const found: { readonly asset: Asset; readonly sources: SourceSummary[] }[] = [];
      for (const asset of chosen) {
        found.push({ asset, sources: summarize(await readOrdered(store, asset.assetNumber, interval)) });
      }
      if (output.json) {
        const entries = found.map(({ asset: { id, symbol }, sources }) => ({
          id,
          symbol,
          interval,
          sources: sources.map(each => entryOf(each, interval)),
        }));
        output.print(JSON.stringify(entries, null, 2));
        return 0;
      }
      if (found.length === 0) {
        output.print('Every asset has one source. --asset ASSET shows the one of an asset.');
        return 0;
      }
      const rows = found.flatMap(({ asset, sources }) => sources.map(each => [asset.id, ...cellsOf(each, interval)]));
      const heads = ['asset', 'source', 'first', 'last', '>bars', '>decided', '>median distance', '>largest'];
      output.print(rows.length === 0 ? `No bars of ${interval}.` : table(heads, rows));
      return 0;
    });
  },
};

function intervalOf(option: unknown): BaseInterval {
  if (option === undefined) return '1d';
  const interval = BASE_INTERVALS.find(each => each === option);
  if (interval === undefined) throw new UsageError(`--interval: expected one of ${BASE_INTERVALS.join(', ')}`);
  return interval;
}

async function withSeveral(store: Store, assets: readonly Asset[]): Promise<Asset[]> {
  const separate = new Set((await store.sources()).filter(each => each.separate).map(each => each.assetNumber));
  return assets.filter(({ assetNumber }) => separate.has(assetNumber)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function entryOf({ first, last, ...source }: SourceSummary, interval: BaseInterval) {
  return { ...source, first: textOf(interval, first), last: textOf(interval, last) };
}

function cellsOf(each: SourceSummary, interval: BaseInterval): string[] {
  const { source, first, last, bars, decided, medianDistance, largestDistance } = each;
  const days = [textOf(interval, first), textOf(interval, last)];
  return [source, ...days, count(bars), percent(decided, 1), percent(medianDistance, 3), percent(largestDistance, 3)];
}

function textOf(interval: BaseInterval, period: number): string {
  return periodText(interval, period as Period); // a period of the store
}

function percent(share: number | null, decimals: number): string {
  return share === null ? '–' : `${(100 * share).toFixed(decimals)} %`;
}
