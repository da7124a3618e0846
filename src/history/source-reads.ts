// What the sources of one asset say: their bars, or a summary of them. The bars of all sources over the whole history are read, which for
// minutes takes tenths of a second, so a server does it in a thread of low priority.

import type { AssetNumber } from '../domain/asset.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { SourceBars } from '../domain/source-bars.ts';
import { type PriceRule, servedBars } from '../publish/price-rule.ts';
import { readOrdered, type SourceSummary, type SummaryStore, summarize } from '../publish/source-summary.ts';

/** Can be posted to another thread. */
export interface SourcesTask {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  /** With its actions and corrections. */
  readonly adjusted: boolean;
  /** The bars of one source; null: those that are served; undefined: the summary. */
  readonly source?: string | null;
}

export interface SourcesRead {
  readonly rule: Pick<PriceRule, 'kind' | 'order'>;
  /** In the order of the rule. */
  readonly names: readonly string[];
  /** Empty if bars are wanted. */
  readonly summaries: readonly SourceSummary[];
  /** Null without the wanted source. */
  readonly bars: SourceBars | null;
}

export type ReadSources = (task: SourcesTask) => Promise<SourcesRead>;

export async function readSourcesOf(store: SummaryStore, task: SourcesTask): Promise<SourcesRead> {
  const { assetNumber, interval, adjusted, source } = task;
  const ordered = await readOrdered(store, assetNumber, interval, adjusted);
  const { sources, rule } = ordered;
  return {
    rule: { kind: rule.kind, order: rule.order },
    names: sources.map(each => each.source ?? ''),
    summaries: source === undefined ? summarize(ordered) : [],
    bars: source === null ? servedBars(sources, rule).bars : (sources.find(each => each.source === source) ?? null),
  };
}
