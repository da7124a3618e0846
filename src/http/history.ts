// The handler of the history of one asset: a listing whose table is computed when it is asked for.

import { TA_HIST } from '../domain/datasets.ts';
import { chosenAsset } from '../query/find-asset.ts';
import { Histories } from '../snapshot/histories.ts';
import type { ServiceContext } from './context.ts';
import { listingHandler } from './listing.ts';

export function historyHandler(context: ServiceContext) {
  const histories = new Histories(context.bars);
  return listingHandler(context, TA_HIST, (snapshot, { asset: choice }) => {
    if (choice === null) throw new Error(`a plan of ${TA_HIST.name} names no asset`);
    const asset = chosenAsset(snapshot.assetIndex, choice);
    return () => histories.table(snapshot, asset);
  });
}
