// How fit the service is to answer: what `/readyz` says, and what answers say of the age of their data.

import { ApiError } from '../../errors.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { type HeaderLines, headerLines } from '../wire/head.ts';

/** `status` tells apart what an operator would do next. All but `ready` are 503. */
export type Readiness =
  | {
      readonly status: 'ready';
      readonly version: number;
      readonly rows: number;
      readonly assets: number;
      /** Seconds since the data was last known to be current. */
      readonly age: number;
      /** `away`: the store cannot be asked, and what was read before is served. */
      readonly store: 'current' | 'away';
    }
  /** There is data, but nobody knows whether it is still true. */
  | { readonly status: 'stale'; readonly reason: string; readonly version: number; readonly age: number }
  /** The store can be asked and holds nothing yet. */
  | { readonly status: 'loading'; readonly reason: string }
  /** The store cannot be asked, and there is nothing to serve. */
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'stopping'; readonly reason: string };

export const NOT_READY = ['loading', 'stale', 'broken', 'stopping'] as const satisfies readonly Readiness['status'][];

const STORE_AWAY = 'The store cannot be read; the service tries again and again. Its log says why.';

export function readiness(context: ServiceContext): Readiness {
  const { state, staleAfterSeconds } = context;
  if (state.stopping) return { status: 'stopping', reason: 'The service was told to stop.' };
  const snapshot = context.snapshot();
  if (snapshot === null) {
    if (state.storeAway) return { status: 'broken', reason: STORE_AWAY };
    return { status: 'loading', reason: context.whyNotReady() };
  }
  const { version, tables } = snapshot;
  const age = state.ageSeconds(context.now());
  if (staleAfterSeconds > 0 && age > staleAfterSeconds) {
    const reason = `The data was last known to be current ${age} s ago; ${staleAfterSeconds} s are allowed. ${STORE_AWAY}`;
    return { status: 'stale', reason, version, age };
  }
  const store = state.storeAway ? 'away' : 'current';
  return { status: 'ready', version, rows: tables['ta-cur'].rows, assets: tables.assets.rows, age, store };
}

export function requireSnapshot(context: ServiceContext): Snapshot {
  const snapshot = context.snapshot();
  if (snapshot !== null) return snapshot;
  throw context.state.storeAway ? storeUnavailable() : new ApiError('no_data', context.whyNotReady());
}

export function storeUnavailable(): ApiError {
  return new ApiError('store_unavailable', 'The store cannot be read just now.', {
    hint: 'Ask again as late as Retry-After says; listings are answered meanwhile if there was data before.',
  });
}

/** On every answer that is made of data. */
export function dataHeaders({ state, now }: ServiceContext, version: number): HeaderLines {
  return headerLines('x-data-age', state.ageSeconds(now()), 'x-data-version', version);
}
