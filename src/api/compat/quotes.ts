// Other currencies than the dollar in the shapes of other services: the quotes of the store.

import { DOLLAR, type QuoteAsset } from '../../domain/quote.ts';
import type { Requester } from '../../http/wire/answer.ts';
import { findQuote } from '../../query/execute/find-named.ts';
import { catalogQuotes } from '../catalog-quotes.ts';
import type { ServiceContext } from '../context.ts';
import { invalidValue, type ParameterFacts } from '../parameters.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { Market } from './market.ts';

/** Currencies of one request: the listing of each is computed. */
export const MOST_CURRENCIES = 5;

export function currencyParameter(doc: string, required?: true): ParameterFacts<string> {
  return {
    doc: `${doc} \`usd\`, or the ticker of a fiat currency or an asset of the store.`,
    takes: 'usd, or the ticker of a fiat currency or an asset of the store',
    schema: { type: 'string' },
    ...(required ? { required } : {}),
    parse: text => (/^[^\s,]{1,64}$/.test(text.trim()) ? text.trim().toLowerCase() : null),
  };
}

/** Null for dollars. Fails for a name that nothing has. */
export function namedQuote({ snapshot }: Market, parameter: string, name: string | null): QuoteAsset | null {
  if (name === null || name.toUpperCase() === DOLLAR) return null;
  const found = findQuote(snapshot, name);
  if (found !== null && found.lastDay !== null) return found;
  const some = catalogQuotes(snapshot).map(({ quote }) => quote);
  throw invalidValue(
    parameter,
    name,
    `the ticker of a currency or asset that the store has, such as ${some.join(', ')}`,
  );
}

/** The same assets with prices in the quote, and with the optional columns. */
export async function marketIn(
  context: ServiceContext,
  market: Market,
  quote: QuoteAsset | null,
  requester: Requester,
): Promise<Market> {
  if (quote === null) return market;
  const past = { interval: '1d', day: null, optional: true, inactive: false, quote: quote.assetNumber } as const;
  return new Market(await context.past(requireSnapshot(context), past, requester));
}
