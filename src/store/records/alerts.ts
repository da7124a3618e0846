// Alerts and their deliveries. What decides about a message is never read from a standby.

import { alertTaken } from '../port/errors.ts';
import {
  type AlertStore,
  DELIVERIES_KEPT,
  type Matching,
  type NewDelivery,
  type StoredAlert,
  type StoredDelivery,
} from '../port/store.ts';
import { type Records, run, type Steps } from './steps.ts';
import { storable, storableOrNull } from './storable.ts';
import { ALERTS, type AlertRow, DELIVERIES } from './tables.ts';

export function alertStore(db: Records): AlertStore {
  return {
    createAlert: ({ target, on, format, ...alert }) =>
      db.write(function* () {
        const [id, name, query, url] = [alert.id, alert.name, alert.query, target.url].map(storable) as Texts;
        const taken = yield* ALERTS.rows('WHERE id = $1 OR name = $2', id, name);
        if (taken.length > 0) throw alertTaken(name);
        const createdAt = new Date().toISOString();
        const state = { paused: false, revision: 1, ...columnsOf(null) };
        yield* ALERTS.add([{ id, name, query, on, format, url, secret: target.secret, createdAt, ...state }]);
        yield* run(on => on.notify());
      }),

    alerts: () =>
      db.readNewest(function* () {
        const found = yield* ALERTS.rows('ORDER BY number');
        const counts = yield* DELIVERIES.select<[alert: string, count: number]>(
          'alert, count(*)',
          "WHERE state = 'waiting' GROUP BY alert",
        );
        const waiting = new Map(counts);
        return found.map(row => ({ ...alertOf(row), waiting: waiting.get(row.id) ?? 0 }));
      }),

    setAlert: (id, { paused, target }) =>
      db.write(function* () {
        const row = yield* alertWith(storable(id));
        if (row === undefined) return false;
        const destination = target === undefined ? {} : { url: storable(target.url), secret: target.secret };
        yield* ALERTS.update(row, { paused, revision: row.revision + 1, ...columnsOf(null), ...destination });
        yield* run(on => on.notify());
        return true;
      }),

    removeAlert: id =>
      db.write(function* () {
        yield* DELIVERIES.remove('WHERE alert = $1', storable(id));
        const isRemoved = (yield* ALERTS.remove('WHERE id = $1', storable(id))) > 0;
        yield* run(on => on.notify());
        return isRemoved;
      }),

    recordEvaluation: ({ alert, revision, matching, delivery }) =>
      db.write(function* () {
        const row = yield* alertWith(alert);
        if (row === undefined || row.revision !== revision || matching.version < (row.version ?? 0)) return false;
        yield* ALERTS.update(row, { revision: revision + 1, ...columnsOf(matching) });
        if (delivery !== null) yield* DELIVERIES.add([waitingDelivery(alert, delivery)]);
        return true;
      }),

    dueAlerts: async at => {
      const due = await db.readNewest(() =>
        DELIVERIES.select<[alert: string]>(
          'alert',
          `WHERE state = 'waiting' AND next_at <= $1 AND alert IN (SELECT id FROM alerts WHERE NOT paused)
           GROUP BY alert ORDER BY min(next_at), min(number)`,
          at,
        ),
      );
      return due.map(([alert]) => alert);
    },

    dueDelivery: async (alert, at) => {
      const [due] = await db.readNewest(() =>
        DELIVERIES.rows(
          `WHERE alert = $1 AND state = 'waiting' AND next_at <= $2
             AND alert IN (SELECT id FROM alerts WHERE NOT paused)
           ORDER BY next_at, number LIMIT 1`,
          alert,
          at,
        ),
      );
      return due === undefined ? null : deliveryOf(due);
    },

    recordAttempt: (id, { state, at, nextAt, status, error }) =>
      db.write(function* () {
        const [row] = yield* DELIVERIES.rows("WHERE id = $1 AND state = 'waiting'", id);
        if (row === undefined) return;
        const attempt = { attempts: row.attempts + 1, lastAt: at, nextAt, status, error: storableOrNull(error) };
        yield* DELIVERIES.update(row, { state, ...attempt, ...(state === 'delivered' ? { body: '' } : {}) });
        if (state !== 'waiting') yield* forgetOldDeliveries();
      }),

    deliveries: async (limit, alert) => {
      const wanted = storableOrNull(alert ?? null);
      const condition = 'WHERE alert = coalesce($1, alert) ORDER BY number DESC LIMIT $2';
      return (await db.query(() => DELIVERIES.rows(condition, wanted, limit))).map(deliveryOf);
    },
  };
}

/** Of another store, with the secrets that it had. */
export function* addAlerts(alerts: readonly StoredAlert[]): Steps<void> {
  const added = alerts.map(({ target, matching, waiting, ...alert }) => ({
    ...alert,
    url: target?.url ?? null,
    secret: target?.secret ?? null,
    ...columnsOf(matching),
  }));
  yield* ALERTS.add(added);
}

type Texts = [id: string, name: string, query: string, url: string];

function* alertWith(id: string): Steps<AlertRow | undefined> {
  return (yield* ALERTS.rows('WHERE id = $1', id))[0];
}

function* forgetOldDeliveries(): Steps<void> {
  yield* DELIVERIES.remove(
    `WHERE state <> 'waiting' AND number <= (
       SELECT number FROM deliveries WHERE state <> 'waiting' ORDER BY number DESC LIMIT 1 OFFSET $1)`,
    DELIVERIES_KEPT,
  );
}

function waitingDelivery(alert: string, delivery: NewDelivery): StoredDelivery {
  const { id, createdAt, entered, left, body } = delivery;
  const attempts = {
    state: 'waiting',
    attempts: 0,
    lastAt: null,
    nextAt: createdAt,
    status: null,
    error: null,
  } as const;
  return { id, alert, createdAt, entered, left, body, ...attempts };
}

function alertOf({ number, url, secret, version, symbols, ...alert }: AlertRow): Omit<StoredAlert, 'waiting'> {
  const target = url === null || secret === null ? null : { url, secret };
  return { ...alert, target, matching: matchingOf(version, symbols) };
}

function deliveryOf({ number, ...delivery }: StoredDelivery & { readonly number: number }): StoredDelivery {
  return delivery;
}

/** The tickers alone, as before messages were remembered, unless there are such messages. */
type MatchingValue = Matching['symbols'] | Pick<Matching, 'symbols' | 'reported'>;

function columnsOf(matching: Matching | null): Pick<AlertRow, 'version' | 'symbols'> {
  if (matching === null) return { version: null, symbols: null };
  const { version, symbols, reported } = matching;
  return { version, symbols: reported.length === 0 ? symbols : { symbols, reported } };
}

function matchingOf(version: number | null, value: unknown): Matching | null {
  if (version === null || value === null) return null;
  const stored = value as MatchingValue; // written by `columnsOf`
  return 'reported' in stored ? { version, ...stored } : { version, symbols: stored, reported: [] };
}
