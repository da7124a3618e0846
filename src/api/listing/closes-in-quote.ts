// The closes of many assets divided by those of a quote, all of which are read.

import { baseOf, type ListedInterval } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { QuoteCloses } from '../../history/quote-closes.ts';
import { SettledCloses } from '../../history/quoted-series.ts';
import { noBarsOfQuote } from '../../query/execute/find-named.ts';
import { publishedOf, type ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export async function closesInQuote(
  context: ServiceContext,
  quote: QuoteAsset,
  interval: ListedInterval,
): Promise<SettledCloses> {
  const [base, { version }] = [baseOf(interval), requireSnapshot(context)];
  const { span } = await publishedOf(context).span(quote, base, version);
  if (span === null) throw noBarsOfQuote(quote, interval);
  const series = context.series(base);
  const { closes } = await series.publishedCloses(quote.assetNumber, span.first, span.last);
  return new SettledCloses(series, new QuoteCloses(base, closes ?? NO_CLOSES));
}

const NO_CLOSES = { day: new Int32Array(), close: new Float64Array() };
