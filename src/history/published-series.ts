// What a store has published of one asset in any interval: which periods, and their bars.

import type { AtTurn } from '../common/steps.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { AssetState } from '../domain/asset-state.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import {
  type BaseInterval,
  baseOf,
  coarserPeriod,
  type Interval,
  type Period,
  periodOfMillis,
  startOfPeriod,
} from '../domain/interval.ts';
import type { Closes } from '../store/port/replaced-closes.ts';
import type { Series } from '../store/store.ts';
import { KnownSpans, type Span } from './known-spans.ts';
import { type QuotedSeries, quotedSeries } from './quoted-series.ts';
import { barsInParts } from './read-in-parts.ts';

/** What is read of the bars of a base interval. */
export type PublishedSeries = QuotedSeries & Pick<Series, 'closes' | 'bars'>;

export type SeriesOf = (base: BaseInterval) => PublishedSeries;

/**
 * Periods of one history, the newest ones: 91 days of minutes, 14 years of hours, and more days than there are prices. Without a limit, the
 * history of minutes of some years would take gigabytes. Older bars are not part of a history or a listing of the interval.
 */
export const MAX_PERIODS = 2 ** 17;

/** From the period that the history of an interval starts with. */
export function historySpan(interval: Interval, { first, last }: Span): Span {
  const base = baseOf(interval);
  const period = coarserPeriod(base, interval);
  const oldest = period(last) - MAX_PERIODS + 1;
  if (period(first) >= oldest) return { first, last };
  return { first: periodOfMillis(base, startOfPeriod(interval, oldest)) ?? first, last };
}

/** An asset, and the days that its published row has. */
export interface SpannedAsset extends Pick<AssetState, 'firstDay' | 'lastDay'> {
  readonly assetNumber: AssetNumber;
}

interface PublishedSpan {
  /** Undefined if it is not known. */
  readonly version: number | undefined;
  readonly span: Span | null;
}

export interface Published<Data> {
  readonly version: number;
  /** Null if this is not the wanted version. */
  readonly data: Data | null;
}

const NO_CLOSES: Closes = { day: new Int32Array(), close: new Float64Array() };

export class PublishedHistories {
  readonly series: (base: BaseInterval) => QuotedSeries;
  /** Those in a quote share them. */
  readonly #spans: KnownSpans;

  constructor(series: (base: BaseInterval) => QuotedSeries, spans: KnownSpans = new KnownSpans()) {
    this.series = series;
    this.#spans = spans;
  }

  /** With prices divided by the closes of an asset; null: as they are. */
  inQuote(quote: AssetNumber | null): PublishedHistories {
    if (quote === null) return this;
    return new PublishedHistories(base => quotedSeries(this.series(base), base, quote), this.#spans);
  }

  /** The base periods of a history in the published version; null if there are none. Of days, the asset says them, whatever is published. */
  async span(asset: SpannedAsset, interval: Interval, wanted?: number): Promise<PublishedSpan> {
    const base = baseOf(interval);
    if (base === '1d') {
      const { firstDay, lastDay } = asset;
      return {
        version: wanted,
        span: firstDay === null || lastDay === null ? null : { first: firstDay, last: lastDay },
      };
    }
    const { version, spans } = await this.#spans.of(base, this.series(base), [asset.assetNumber], wanted);
    const span = spans.get(asset.assetNumber) ?? null;
    return { version, span: span && historySpan(interval, span) };
  }

  /** Reads the spans of several assets together, so that `span` has them at once. */
  async readSpans(assets: readonly SpannedAsset[], interval: Interval, version: number): Promise<void> {
    const base = baseOf(interval);
    const numbers = assets.map(({ assetNumber }) => assetNumber);
    if (base !== '1d') await this.#spans.of(base, this.series(base), numbers, version);
  }

  /** The delivered bars of the interval, oldest first; with `wanted`, null if another version is published. */
  async bars(
    asset: SpannedAsset,
    interval: Interval,
    wanted: number | undefined,
    atTurn: AtTurn | null,
  ): Promise<Published<BarColumns>> {
    const { publishedBars } = this.series(baseOf(interval));
    for (;;) {
      const { version, span } = await this.span(asset, interval, wanted);
      if (wanted !== undefined && version !== wanted) return { version: version ?? wanted, data: null };
      if (span === null && version !== undefined) return { version, data: barColumns(0) };
      const { first, last } = span ?? NO_SPAN;
      const read = await barsInParts(publishedBars, [asset.assetNumber, first, last, version], atTurn, interval);
      // Else another version was published since the span was read.
      if (read.bars !== null || wanted !== undefined) return { version: read.version, data: read.bars };
    }
  }

  /** The closes of the base that belong to the history of the interval. */
  async baseCloses(asset: SpannedAsset, interval: Interval, version: number): Promise<Closes | null> {
    const { version: found, span } = await this.span(asset, interval, version);
    if (found !== version) return null;
    if (span === null) return NO_CLOSES;
    const { closes } = await this.series(baseOf(interval)).publishedCloses(
      asset.assetNumber,
      span.first,
      span.last,
      version,
    );
    return closes;
  }
}

const NO_SPAN: Span = { first: 0 as Period, last: 0 as Period };
