// Alerts and deliveries as `alerts list` and `alerts log` show them.

import type { AlertEntry } from '../alerts/alert-entry.ts';
import type { StoredDelivery } from '../store/store.ts';
import { count, table } from './terminal.ts';

export function alertTable(entries: readonly AlertEntry[]): string {
  return table(
    ['id', 'name', 'on', 'to', 'format', 'state', '>matching', '>waiting', 'query'],
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
    ['queued (UTC)', 'alert', 'message', '>entered', '>left', 'state', '>attempts', 'next (UTC)', 'last error'],
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
