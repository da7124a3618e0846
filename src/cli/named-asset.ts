// The asset that a person names on the command line.

import type { Asset } from '../domain/asset.ts';
import { outranks, tickerKey } from '../domain/asset-state.ts';
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
