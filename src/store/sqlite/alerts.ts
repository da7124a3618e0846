// Alerts and their deliveries in SQLite.

import type { AlertDirection, AlertFormat } from '../../domain/alert.ts';
import { alertTaken } from '../port/errors.ts';
import {
  type AlertStore,
  DELIVERIES_KEPT,
  type DeliveryState,
  type StoredAlert,
  type StoredDelivery,
} from '../port/store.ts';
import { matchingOfValue, valueOfMatching } from '../records/matching-value.ts';
import { storable } from '../records/storable.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';

type AlertRow = [
  number: number,
  id: string,
  name: string,
  query: string,
  direction: AlertDirection,
  format: AlertFormat,
  url: string | null,
  secret: string | null,
  createdAt: string,
  paused: number,
  revision: number,
  version: number | null,
  symbols: string | null,
];

type DeliveryRow = [
  number: number,
  id: string,
  alert: string,
  createdAt: number,
  entered: number,
  left: number,
  body: string,
  state: DeliveryState,
  attempts: number,
  lastAt: number | null,
  nextAt: number | null,
  status: number | null,
  error: string | null,
];

export interface AlertTable extends AlertStore {
  /** As they are. */
  add(alert: StoredAlert): void;
  addDelivery(delivery: StoredDelivery): void;
}

export function alertStore(db: Connection): AlertTable {
  const table = new CheckedTable<AlertRow>(db, 'alerts');
  const all = table.select('ORDER BY number');
  const byId = table.select('WHERE id = ?');
  const taken = table.select('WHERE id = ? OR name = ?');
  const last = db.query<[number]>('SELECT coalesce(max(number), 0) FROM alerts');
  const remove = db.command('DELETE FROM alerts WHERE id = ?');
  const queue = new DeliveryQueue(db);

  function put(number: number, alert: Omit<StoredAlert, 'waiting'>): void {
    const { id, name, query, on, format, target, createdAt, paused, revision, matching } = alert;
    const [version, symbols] =
      matching === null ? [null, null] : [matching.version, JSON.stringify(valueOfMatching(matching))];
    const { url, secret } = target ?? { url: null, secret: null };
    const flags = [createdAt, Number(paused), revision] as const;
    table.put([number, id, name, query, on, format, url, secret, ...flags, version, symbols]);
  }

  const add = (alert: Omit<StoredAlert, 'waiting'>) => put(last.get()![0] + 1, alert);

  return {
    add,
    addDelivery: delivery => queue.add(delivery),

    createAlert: alert =>
      db.writeWhenFree(() => {
        const { target } = alert;
        const [id, name] = [storable(alert.id), storable(alert.name)];
        if (taken.get(id, name)) throw alertTaken(name);
        const texts = { id, name, query: storable(alert.query), target: { ...target, url: storable(target.url) } };
        const createdAt = new Date().toISOString();
        add({ ...alert, ...texts, createdAt, paused: false, revision: 1, matching: null });
      }),

    alerts: async () =>
      db.read(() => {
        const waiting = queue.waiting();
        return all.all().map(row => ({ ...alertOfRow(row), waiting: waiting.get(row[1]) ?? 0 }));
      }),

    setAlert: (id, { paused, target }) =>
      db.writeWhenFree(() => {
        const row = byId.get(storable(id));
        if (row === undefined) return false;
        const alert = alertOfRow(row);
        const revision = alert.revision + 1;
        put(row[0], { ...alert, paused, target: target ?? alert.target, revision, matching: null });
        return true;
      }),

    removeAlert: id =>
      db.writeWhenFree(() => {
        queue.removeOf(storable(id));
        return remove.run(storable(id)) > 0;
      }),

    recordEvaluation: ({ alert: id, revision, matching, delivery }) =>
      db.writeWhenFree(() => {
        const row = byId.get(id);
        if (row === undefined) return false;
        const alert = alertOfRow(row);
        if (alert.revision !== revision || matching.version < (alert.matching?.version ?? 0)) return false;
        put(row[0], { ...alert, revision: revision + 1, matching });
        const fresh = { state: 'waiting', attempts: 0, lastAt: null, status: null, error: null } as const;
        if (delivery !== null) queue.add({ ...delivery, ...fresh, alert: id, nextAt: delivery.createdAt });
        return true;
      }),

    dueAlerts: async at => db.read(() => queue.dueAlerts(at)),

    dueDelivery: async (alert, at) => db.read(() => queue.due(alert, at)),

    recordAttempt: (id, attempt) =>
      db.writeWhenFree(() => {
        const { state, at, nextAt, status, error } = attempt;
        const text = error === null ? null : storable(error);
        queue.update(id, row => ({
          ...row,
          state,
          attempts: row.attempts + 1,
          lastAt: at,
          nextAt,
          status,
          error: text,
        }));
      }),

    deliveries: async (limit, alert) => db.read(() => queue.newest(limit, alert)),
  };
}

class DeliveryQueue {
  readonly #table;
  readonly #byId;
  readonly #dueAlerts;
  readonly #due;
  readonly #newest;
  readonly #waiting;
  readonly #last;
  readonly #removeOf;
  readonly #forget;

  constructor(db: Connection) {
    this.#table = new CheckedTable<DeliveryRow>(db, 'deliveries');
    this.#byId = this.#table.select('WHERE id = ?');
    this.#dueAlerts = db.query<[alert: string]>(
      `SELECT alert FROM deliveries WHERE state = 'waiting' AND next_at <= ?
         AND alert IN (SELECT id FROM alerts WHERE paused = 0)
       GROUP BY alert ORDER BY min(next_at), min(number)`,
    );
    this.#due = this.#table.select(
      `WHERE alert = ? AND state = 'waiting' AND next_at <= ?
         AND EXISTS (SELECT 1 FROM alerts WHERE id = deliveries.alert AND paused = 0)
       ORDER BY next_at, number LIMIT 1`,
    );
    this.#newest = this.#table.select('WHERE alert = ?1 OR ?1 IS NULL ORDER BY number DESC LIMIT ?2');
    this.#waiting = db.query<[alert: string, count: number]>(
      "SELECT alert, count(*) FROM deliveries WHERE state = 'waiting' GROUP BY alert",
    );
    this.#last = db.query<[number]>('SELECT coalesce(max(number), 0) FROM deliveries');
    this.#removeOf = db.command('DELETE FROM deliveries WHERE alert = ?');
    this.#forget = db.command(
      `DELETE FROM deliveries WHERE state <> 'waiting' AND number <= (
         SELECT number FROM deliveries WHERE state <> 'waiting' ORDER BY number DESC LIMIT 1 OFFSET ?)`,
    );
  }

  add(delivery: StoredDelivery): void {
    this.#put(this.#last.get()![0] + 1, delivery);
  }

  dueAlerts(at: number): string[] {
    return this.#dueAlerts.all(at).flat();
  }

  due(alert: string, at: number): StoredDelivery | null {
    const row = this.#due.get(alert, at);
    return row === undefined ? null : deliveryOfRow(row);
  }

  newest(limit: number, alert: string | undefined): StoredDelivery[] {
    return this.#newest.all(alert === undefined ? null : storable(alert), limit).map(deliveryOfRow);
  }

  waiting(): Map<string, number> {
    return new Map(this.#waiting.all());
  }

  update(id: string, change: (delivery: StoredDelivery) => StoredDelivery): void {
    const row = this.#byId.get(id);
    if (row === undefined || row[7] !== 'waiting') return;
    const changed = change(deliveryOfRow(row));
    this.#put(row[0], changed.state === 'delivered' ? { ...changed, body: '' } : changed);
    if (changed.state !== 'waiting') this.#forget.run(DELIVERIES_KEPT);
  }

  removeOf(alert: string): void {
    this.#removeOf.run(alert);
  }

  #put(number: number, delivery: StoredDelivery): void {
    const { id, alert, createdAt, entered, left, body, state, attempts, lastAt, nextAt, status, error } = delivery;
    this.#table.put([
      ...([number, id, alert, createdAt, entered, left, body, state] as const),
      ...([attempts, lastAt, nextAt, status, error] as const),
    ]);
  }
}

function alertOfRow(row: AlertRow): Omit<StoredAlert, 'waiting'> {
  const [, id, name, query, on, format, url, secret, createdAt, paused, revision, version, symbols] = row;
  const target = url === null || secret === null ? null : { url, secret };
  const matching = matchingOfValue(version, symbols === null ? null : JSON.parse(symbols));
  return { id, name, query, on, format, target, createdAt, paused: paused === 1, revision, matching };
}

function deliveryOfRow(row: DeliveryRow): StoredDelivery {
  const [, id, alert, createdAt, entered, left, body, state, attempts, lastAt, nextAt, status, error] = row;
  return { id, alert, createdAt, entered, left, body, state, attempts, lastAt, nextAt, status, error };
}
