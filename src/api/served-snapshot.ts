// The snapshot that a response is made from, or the reason why there is none; and the headers that state its age.

import { ApiError } from '../errors.ts';
import { type HeaderLines, headerLines } from '../http/wire/head.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { ServiceContext } from './context.ts';

export function requireSnapshot(context: ServiceContext): Snapshot {
  const snapshot = context.snapshot();
  if (snapshot !== null) return snapshot;
  throw context.state.storeUnreachable ? storeUnavailable() : new ApiError('no_data', context.whyNotReady());
}

export function storeUnavailable(): ApiError {
  return new ApiError('store_unavailable', 'The store is unreachable.', {
    hint: 'Retry after Retry-After seconds. Listings that were in memory before still work.',
  });
}

/** On every response with data. */
export function dataHeaders({ state, now }: ServiceContext, version: number): HeaderLines {
  return headerLines('x-data-age', state.ageSeconds(now()), 'x-data-version', version);
}
