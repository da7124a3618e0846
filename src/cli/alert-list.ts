// Alerts and deliveries as `alerts list` and `alerts log` show them: never the secret, and of the destination only its host.

import { parseAlertQuery } from '../alerts/parse-alert-query.ts';
import type { StoredAlert, StoredDelivery } from '../store/store.ts';
import { count, table } from './terminal.ts';

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

export function alertTable(entries: readonly AlertEntry[]): string {
  return table(
    [
      { title: 'id' },
      { title: 'name' },
      { title: 'on' },
      { title: 'to' },
      { title: 'format' },
      { title: 'state' },
      { title: 'matching', right: true },
      { title: 'waiting', right: true },
      { title: 'query' },
    ],
    entries.map(({ id, name, on, to, format, state, matching, waiting, query }) => [
      id,
      name,
      on,
      to ?? 'nowhere',
      format,
      state,
      matching === null ? '' : count(matching),
      count(waiting),
      query,
    ]),
  );
}

export type DeliveryEntry = ReturnType<typeof deliveryEntry>;

export function deliveryEntry({ body, createdAt, lastAt, nextAt, ...delivery }: StoredDelivery) {
  return { ...delivery, createdAt: iso(createdAt), lastAt: iso(lastAt), nextAt: iso(nextAt) };
}

function iso(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

export function deliveryTable(entries: readonly DeliveryEntry[], names: ReadonlyMap<string, string>): string {
  const second = (time: string | null) => (time ?? '').slice(0, 19).replace('T', ' ');
  return table(
    [
      { title: 'queued (UTC)' },
      { title: 'alert' },
      { title: 'message' },
      { title: 'entered', right: true },
      { title: 'left', right: true },
      { title: 'state' },
      { title: 'attempts', right: true },
      { title: 'next (UTC)' },
      { title: 'last error' },
    ],
    entries.map(({ createdAt, alert, id, entered, left, state, attempts, nextAt, error }) => [
      second(createdAt),
      names.get(alert) ?? alert,
      id,
      count(entered),
      count(left),
      state,
      count(attempts),
      second(nextAt),
      error ?? '',
    ]),
  );
}
