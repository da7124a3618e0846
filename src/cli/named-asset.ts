// The asset that a person names on the command line.

import type { Asset } from '../domain/asset.ts';
import { outranks, tickerKey } from '../domain/asset-state.ts';
import { CommandError } from './command.ts';

/** By id, or of those with the ticker the best-ranked one that has prices. */
export function namedAsset(assets: readonly Asset[], name: string): Asset {
  const byId = assets.find(asset => asset.id === name.toLowerCase());
  const withTicker = assets.filter(asset => tickerKey(asset.symbol) === tickerKey(name));
  const [first, ...others] = withTicker.filter(({ bars }) => bars > 0);
  const found = byId ?? (first && others.reduce((best, rival) => (outranks(rival, best) ? rival : best), first));
  if (found !== undefined) return found;
  throw new CommandError(`unknown asset ${name}`, 'Name it by its id, such as btc-bitcoin, or by its ticker.');
}
