// The asset that a person names on the command line.

import type { Asset } from '../domain/asset.ts';
import { bestRanked, outranks, tickerKey } from '../domain/asset-state.ts';
import { DOLLAR, FIAT } from '../domain/quote.ts';
import { CommandError } from './command.ts';
import { isKnown } from './inactive-note.ts';
import { storeFlag } from './program.ts';

/** By id, or of those with the ticker the best-ranked one that has prices. */
export function namedAsset(assets: readonly Asset[], name: string): Asset {
  const byId = assets.find(asset => asset.id === name.toLowerCase());
  const withTicker = assets.filter(asset => tickerKey(asset.symbol) === tickerKey(name));
  const [first, ...others] = withTicker.filter(({ bars }) => bars > 0);
  const found = byId ?? (first && others.reduce((best, rival) => (outranks(rival, best) ? rival : best), first));
  if (found !== undefined) return found;
  throw new CommandError(`unknown asset ${name}`, 'Name it by its id, such as btc-bitcoin, or by its ticker.');
}

/** For a change: by id, or by a ticker that no other asset has. */
export function onlyAsset(assets: readonly Asset[], name: string, url: string): Asset {
  const all = assets.filter(isKnown);
  const byId = all.find(({ id }) => id === name.toLowerCase());
  if (byId !== undefined) return byId;
  const named = all.filter(({ symbol }) => tickerKey(symbol) === tickerKey(name));
  if (named.length === 1) return named[0]!;
  if (named.length === 0) {
    throw new CommandError(`unknown asset ${name}`, `'tidemark assets list${storeFlag(url)}' lists all.`);
  }
  const ids = named.map(({ id }) => id).join(', ');
  throw new CommandError(`several assets have the ticker ${name}`, `Name one by its id: ${ids}.`);
}

/** What prices are to be divided by; null for dollars. A fiat currency comes before an asset with the same ticker. */
export function namedQuote(assets: readonly Asset[], name: string | null): Asset | null {
  if (name === null || tickerKey(name) === DOLLAR) return null;
  const withPrices = assets.filter(({ bars }) => bars > 0);
  const isNamed = ({ symbol, type }: Asset) => type === FIAT && tickerKey(symbol) === tickerKey(name);
  const found = bestRanked(withPrices.filter(isNamed)) ?? withPrices.find(({ id }) => id === name.toLowerCase());
  if (found !== undefined) return found;
  const listed = withPrices.filter(asset => tickerKey(asset.symbol) === tickerKey(name));
  const best = bestRanked(listed.filter(({ delisted }) => !delisted)) ?? bestRanked(listed);
  if (best !== undefined) return best;
  const fiats = withPrices.filter(({ type }) => type === FIAT).map(({ symbol }) => symbol);
  throw new CommandError(
    `unknown quote ${name}`,
    `Name a quote by its ticker or id${fiats.length === 0 ? '' : `, such as ${fiats.slice(0, 5).join(', ')}`}; USD is the default.`,
  );
}
