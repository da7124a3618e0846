// `coins` and `coins/{id}`: the list of all coins, and the profile of one.

import { profileTimeFromDay } from '../../../domain/day.ts';
import { renderProfile } from '../../../render/profile.ts';
import type { IndexedAsset, Snapshot } from '../../../snapshot/table.ts';
import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { answerLists, cachedRecord, listPieces } from '../answers.ts';
import { COUNT, FLAG, TEXT, TEXT_OR_NULL } from '../schemas.ts';
import { assetAt } from '../search-assets.ts';
import { coinOf, coinPaprikaEndpoint } from './endpoint.ts';

/** A profile may change without a publication. */
const KEEP_MS = 1000;

const FIELDS = { id: TEXT, name: TEXT, symbol: TEXT, rank: COUNT, is_new: FLAG, is_active: FLAG, type: TEXT_OR_NULL };

export const COIN = exactly(FIELDS);

/** An inactive coin has the rank 0, as CoinPaprika says. */
export function coinEntry({ id, name, symbol, rank, isNew, isActive, type }: IndexedAsset) {
  return { id, name, symbol, rank: isActive ? rank : 0, is_new: isNew, is_active: isActive, type };
}

/** Row numbers of the table of assets, best rank first. */
function rankedRows({ tables: { assets } }: Snapshot): (i: number) => number {
  const order = assets.order(assets.dataset.columns.findIndex(column => column.name === 'rank'));
  return i => order?.[i] ?? i;
}

export const coins = coinPaprikaEndpoint({
  id: 'coinpaprikaCoins',
  path: 'coins',
  summary: 'All coins',
  description: 'Best rank first, and complete for every tier: it has no prices, and programs look ids up in it.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: { type: 'array', items: COIN },
  readsOptional: false,
  handle: (context, request, { snapshot }) => {
    const rowAt = rankedRows(snapshot);
    const { rows } = snapshot.tables.assets;
    const textAt = (i: number) => JSON.stringify(coinEntry(assetAt(snapshot, rowAt(i))));
    return answerLists(context, request, snapshot, ['paprika/coins'], () => ({
      entries: rows,
      pieces: () => listPieces(0, rows, textAt),
    }));
  },
});

export const coin = coinPaprikaEndpoint({
  id: 'coinpaprikaCoin',
  path: 'coins/{id}',
  summary: 'The profile of one coin',
  description: 'The record of `/v1/coins/{id}`, and what its source gave besides.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: { ...exactly({ ...FIELDS, last_data_at: TEXT_OR_NULL }), additionalProperties: true },
  readsOptional: false,
  handle: (context, request, market) => {
    const found = coinOf(market, request.rest);
    const name = ['paprika/coin', found.id, Math.floor(context.now() / KEEP_MS)];
    return cachedRecord(context, request, market.snapshot, name, async () => {
      const sourced = await context.profile(found.assetNumber);
      const record = JSON.parse(renderProfile(sourced?.profile ?? null, found).toString());
      const { contracts = [], logo = null, contract, platform, parent } = sourced?.extra ?? {};
      const last = found.lastDay === null ? null : profileTimeFromDay(found.lastDay);
      // Only tokens have the last three: JSON leaves out what is undefined.
      return { ...record, contracts, logo, last_data_at: last, contract, platform, parent };
    });
  },
});
