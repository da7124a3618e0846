// Readiness: the response of `/readyz`.

import { statesOf } from '../snapshot/asset-states.ts';
import type { ServiceContext } from './context.ts';

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
