// The bars of a base interval in another quote: what is computed from them is computed by the same code as in dollars.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { quoteCarry } from '../domain/quote.ts';
import type { DailyBarBatch, DailyCloses, Series } from '../store/store.ts';
import { type DenseBars, type DenseCloses, denseBars, joinedBars, joinedCloses, NO_DENSE_BARS } from './dense-bars.ts';
import { QuoteCloses } from './quote-closes.ts';

/** What is read of the bars in a quote. */
export type QuotedSeries = Pick<Series, 'publishedBars' | 'publishedCloses' | 'publishedOrigins' | 'publishedSpans'>;

/** `series` of the asset that is the quote, and of those that are converted. */
export function quotedSeries(series: QuotedSeries, base: BaseInterval, quote: AssetNumber): QuotedSeries {
  /** As many as the periods between the two need, of the same publication; null if another one is published. */
  const closesFor = async (from: number, to: Period, version: number) => {
    const first = Math.max(0, from - quoteCarry(base)) as Period; // before another one
    const { closes } = await series.publishedCloses(quote, first, to, version);
    return closes && new QuoteCloses(base, closes);
  };
  /** A publication between the two readings is not that of the first. */
  const converted = async <Read extends { readonly version: number }, Data>(
    from: Period,
    to: Period,
    wanted: number | undefined,
    read: () => Promise<Read>,
    convert: (read: Read, closes: QuoteCloses | null) => Data | null,
  ): Promise<{ readonly version: number; readonly data: Data | null }> => {
    for (;;) {
      const found = await read();
      const data = convert(found, await closesFor(from, to, found.version));
      if (data !== null || wanted !== undefined) return { version: found.version, data };
    }
  };
  return {
    async publishedBars(asset, from, to, version) {
      const read = () => series.publishedBars(asset, from, to, version);
      const found = await converted(from, to, version, read, ({ bars }, closes) => bars && convertedBars(closes, bars));
      return { version: found.version, bars: found.data };
    },
    async publishedCloses(asset, from, to, version) {
      const read = () => series.publishedCloses(asset, from, to, version);
      const found = await converted(
        ...([from, to, version, read] as const),
        ({ closes }, quotes) => closes && (quotes?.convertCloses(closes) ?? null),
      );
      return { version: found.version, closes: found.data };
    },
    publishedOrigins: series.publishedOrigins,
    publishedSpans: series.publishedSpans,
  };
}

function convertedBars(closes: QuoteCloses | null, bars: BarColumns): BarColumns | null {
  return closes?.convertBars(bars) ?? null;
}

/** The stored closes of many assets in a quote, whose closes are in memory. */
export class SettledCloses implements Pick<Series, 'closes' | 'bars'> {
  protected readonly quote: QuoteCloses;
  readonly #series: Pick<Series, 'closes' | 'bars'>;

  constructor(series: Pick<Series, 'closes' | 'bars'>, quote: QuoteCloses) {
    this.#series = series;
    this.quote = quote;
  }

  bars: Series['bars'] = async (...asked) => this.quote.convertBars(await this.#series.bars(...asked));

  closes: Series['closes'] = async (assets, periods, until) => {
    const end = this.lastUpTo(until);
    const read = end === null ? null : await this.#series.closes(assets, periods, end, { closeDays: true });
    return joinedCloses(await this.converted(assets, periods, read, (cut): DenseCloses => cut));
  };

  /** Null if no close of the quote is as old. */
  protected lastUpTo(until: Period = LAST_PERIOD as Period): Period | null {
    const last = this.quote.lastUpTo(until);
    return last < 0 ? null : (last as Period); // of the quote
  }

  /** `densely` makes of converted closes what is wanted of an asset. */
  protected async converted<Dense>(
    assets: readonly AssetNumber[],
    periods: number,
    read: DailyCloses | null,
    densely: (cut: ConvertedCloses) => Dense,
  ): Promise<(Dense | DenseBars)[]> {
    const found: (Dense | DenseBars)[] = [];
    for (const [i, asset] of assets.entries()) {
      const cut = read === null ? null : convertedCloses(this.quote, read, i);
      if (cut === null) found.push(NO_DENSE_BARS);
      else if (cut !== 'incomplete') found.push(densely(cut));
      else {
        // Between periods of the store.
        const [first, last] = [read!.firstDay[i] as Period, read!.lastDay[i] as Period];
        found.push(denseBars(await this.bars(asset, first, last), periods));
      }
    }
    return found;
  }
}

type RowSeries = Pick<Series, 'closes' | 'dailyBars' | 'bars' | 'publishedBars' | 'publishedCloses'>;

/** The same with all that rows are computed from, of a store that does not change meanwhile. */
export class SettledSeries extends SettledCloses implements RowSeries {
  readonly #series: RowSeries;

  constructor(series: RowSeries, quote: QuoteCloses) {
    super(series, quote);
    this.#series = series;
  }

  publishedBars: Series['publishedBars'] = async (...asked) => {
    const { version, bars } = await this.#series.publishedBars(...asked);
    return { version, bars: bars && this.quote.convertBars(bars) };
  };

  publishedCloses: Series['publishedCloses'] = async (...asked) => {
    const { version, closes } = await this.#series.publishedCloses(...asked);
    return { version, closes: closes && this.quote.convertCloses(closes) };
  };

  dailyBars: Series['dailyBars'] = async (assets, periods, until) => {
    const end = this.lastUpTo(until);
    const read = end === null ? null : await this.#series.dailyBars(assets, periods, end, { closeDays: true });
    // Only called for what was read.
    return joinedBars(await this.converted(assets, periods, read, (cut): DenseBars => barsOf(this.quote, cut, read!)));
  };
}

interface ConvertedCloses extends DenseCloses {
  /** Where the closes begin in the batch. */
  readonly start: number;
  /** The days of the closes that they are divided by; null: each by that of its own day. */
  readonly days: Int32Array | null;
}

/**
 * The closes of an asset that exist in the quote, divided in place; null if none does. `incomplete`: periods without a close of the quote
 * lie between them, or its first bar that exists is not known from these closes.
 */
function convertedCloses(
  quote: QuoteCloses,
  { starts, close, firstDay, lastDay, closeDays }: DailyCloses,
  i: number,
): ConvertedCloses | 'incomplete' | null {
  const [from, to] = [starts[i]!, starts[i + 1]!];
  if (from === to) return null;
  const [first, last, days] = [firstDay[i]!, lastDay[i]!, closeDays?.[i] ?? null];
  const oldest = last - (to - from) + 1;
  let skipped = 0;
  while (skipped < to - from && (days === null ? oldest + skipped : days[skipped]!) < quote.first) skipped++;
  if (skipped === to - from) return null;
  const values = close.subarray(from + skipped, to);
  const own = days?.subarray(skipped) ?? null;
  if (!quote.divide(values, oldest + skipped, own)) return 'incomplete';
  const known = skipped > 0 ? oldest + skipped : firstOf(quote, first, days === null);
  return known === null ? 'incomplete' : { first: known, last, close: values, start: from + skipped, days: own };
}

/** The first period of an asset in the quote, if that is known; its oldest closes are not. */
function firstOf(quote: QuoteCloses, first: number, isGapless: boolean): number | null {
  if (!Number.isNaN(quote.at(first))) return first;
  return isGapless && first < quote.first ? quote.first : null;
}

function barsOf(
  quote: QuoteCloses,
  { first, last, close, start, days }: ConvertedCloses,
  { open, high, low, volume }: DailyBarBatch,
): DenseBars {
  const end = start + close.length;
  const divided = (values: Float64Array) => {
    const own = values.subarray(start, end);
    quote.divide(own, last - close.length + 1, days);
    return own;
  };
  return {
    ...{ first, last, close, volume: volume.subarray(start, end) },
    ...{ open: divided(open), high: divided(high), low: divided(low) },
  };
}
