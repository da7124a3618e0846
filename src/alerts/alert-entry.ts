// An alert as it may be shown: never the secret, and of the destination only its host.

import type { StoredAlert } from '../store/store.ts';
import { parseAlertQuery } from './parse-alert-query.ts';

export type AlertEntry = ReturnType<typeof alertEntry>;

export function alertEntry(alert: StoredAlert) {
  const { id, name, query, on, format, target, createdAt, matching, waiting } = alert;
  return {
    id,
    name,
    query,
    on,
    format,
    to: target === null ? null : hostOf(target.url),
    state: stateOf(alert),
    createdAt,
    matching: matching?.symbols.length ?? null,
    waiting,
  };
}

/** The path and the query may be secrets, as those of Slack are. */
export function hostOf(url: string): string {
  return `${new URL(url).origin}/…`;
}

function stateOf({ query, paused }: StoredAlert): 'active' | 'paused' | 'invalid' {
  try {
    parseAlertQuery(query);
  } catch {
    return 'invalid';
  }
  return paused ? 'paused' : 'active';
}
