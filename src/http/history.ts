// The handler of the history of one asset: a listing whose table is computed when it is asked for.

import { TA_HIST } from '../domain/datasets.ts';
import { chosenAsset } from '../query/find-asset.ts';
import { Histories } from '../snapshot/histories.ts';
import type { Handler } from './answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import type { ServiceContext } from './context.ts';
import { answerListing } from './listing.ts';
import { Questions } from './questions.ts';
import { requireSnapshot } from './readiness.ts';

export function historyHandler(context: ServiceContext): Handler {
  const histories = new Histories(context.bars);
  const questions = new Questions(TA_HIST, context.observer, CACHE_SHARES.historyQuestions * context.cacheBytes);
  return ask => {
    const began = performance.now();
    const question = questions.read(ask.query);
    const { asset: choice } = question.plan;
    if (choice === null) throw new Error(`a plan of ${TA_HIST.name} names no asset`);
    const snapshot = requireSnapshot(context);
    // Looked for at once, so that what is not there is never "not modified"; the table is made only when its rows are needed.
    const asset = chosenAsset(snapshot.assetIndex, choice);
    const { fingerprint, version } = snapshot;
    const source = { fingerprint, version, table: () => histories.table(snapshot, asset), finished: null };
    return answerListing(context, ask, question, source, began);
  };
}
