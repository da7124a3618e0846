// Readiness: the response of `/readyz`, and the headers that state the age of the data.

import { ApiError } from '../../errors.ts';
import { statesOf } from '../../snapshot/asset-states.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { type HeaderLines, headerLines } from '../wire/head.ts';

/** Each `status` calls for a different action of the operator. All except `ready` are 503. */
export type Readiness =
  | {
      readonly status: 'ready';
      readonly version: number;
      readonly rows: number;
      readonly assets: number;
      /** Assets with prices that the listing does not have, because their latest close is too old or they were delisted. */
      readonly inactive: number;
      /** UTC day of the newest close, such as 2026-06-30. */
      readonly newest_day: string | null;
      /** Time of the newest tick, such as 2026-06-30T12:00:00.000Z; null without live prices. */
      readonly newest_tick: string | null;
      /** Seconds since the data was last known to be current. */
      readonly age: number;
      /** `unreachable`: the service continues with the data that it has read. */
      readonly store: 'current' | 'unreachable';
    }
  /** There is data, but it could not be confirmed as current for too long. */
  | { readonly status: 'stale'; readonly reason: string; readonly version: number; readonly age: number }
  /** The store is reachable and empty. */
  | { readonly status: 'loading'; readonly reason: string }
  /** The store is unreachable, and there is nothing to serve. */
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'stopping'; readonly reason: string };

export const NOT_READY = ['loading', 'stale', 'broken', 'stopping'] as const satisfies readonly Readiness['status'][];

const STORE_UNREACHABLE = 'The store is unreachable; the service keeps retrying. The reason is in its log.';

export function readiness(context: ServiceContext): Readiness {
  const { state, staleAfterSeconds } = context;
  if (state.stopping) return { status: 'stopping', reason: 'The service is stopping.' };
  const snapshot = context.snapshot();
  if (snapshot === null) {
    if (state.storeUnreachable) return { status: 'broken', reason: STORE_UNREACHABLE };
    return { status: 'loading', reason: context.whyNotReady() };
  }
  const { version, tables } = snapshot;
  const age = state.ageSeconds(context.now());
  if (staleAfterSeconds > 0 && age > staleAfterSeconds) {
    const reason = `The data was last confirmed as current ${age} s ago, more than the allowed ${staleAfterSeconds} s. ${STORE_UNREACHABLE}`;
    return { status: 'stale', reason, version, age };
  }
  const store = state.storeUnreachable ? 'unreachable' : 'current';
  const { inactive, newestDay } = statesOf(tables.assets);
  return {
    status: 'ready',
    version,
    rows: tables['ta-cur'].rows,
    assets: tables.assets.rows,
    inactive,
    newest_day: newestDay,
    newest_tick: state.newestTick === null ? null : new Date(state.newestTick).toISOString(),
    age,
    store,
  };
}

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
