// Alerts and their deliveries in PostgreSQL. What decides about a message is read from the primary.

import { alertTaken } from '../port/errors.ts';
import { type AlertStore, DELIVERIES_KEPT, type StoredAlert, type StoredDelivery } from '../port/store.ts';
import { matchingOfValue, valueOfMatching } from '../records/matching-value.ts';
import { storable } from '../records/storable.ts';
import type { Database } from './database.ts';
import { notify } from './watch.ts';

type AlertRow = Pick<StoredAlert, 'id' | 'name' | 'query' | 'format' | 'paused' | 'revision' | 'waiting'> & {
  readonly direction: StoredAlert['on'];
  readonly url: string | null;
  readonly secret: string | null;
  readonly created_at: Date;
  readonly version: number | null;
  readonly symbols: unknown;
};

type DeliveryRow = Pick<StoredDelivery, 'id' | 'alert' | 'body' | 'state' | 'attempts' | 'status' | 'error'> & {
  readonly entered_rows: number;
  readonly left_rows: number;
  readonly created_ms: number;
  readonly last_ms: number | null;
  readonly next_ms: number | null;
};

export function alertStore(db: Database): AlertStore {
  return {
    createAlert: ({ target, ...alert }) =>
      db.write(async sql => {
        const [id, name] = [storable(alert.id), storable(alert.name)];
        const taken = await sql`SELECT 1 FROM tidemark.alerts WHERE id = ${id} OR name = ${name}`;
        if (taken.length > 0) throw alertTaken(name);
        await sql`
          INSERT INTO tidemark.alerts (id, name, query, direction, format, url, secret, created_at, paused, revision)
          VALUES (${id}, ${name}, ${storable(alert.query)}, ${alert.on}, ${alert.format}, ${storable(target.url)},
            ${target.secret}, ${new Date()}, false, 1)`;
        await notify(sql);
      }),

    alerts: () =>
      db.change(async sql => {
        const rows = await sql<AlertRow>`
          SELECT id, name, query, direction, format, url, secret, created_at, paused, revision, version, symbols,
            (SELECT count(*) FROM tidemark.deliveries WHERE alert = alerts.id AND state = 'waiting') AS waiting
          FROM tidemark.alerts ORDER BY number`;
        return rows.map(alertOfRow);
      }),

    setAlert: (id, { paused, target }) =>
      db.write(async sql => {
        const changed = await sql`
          UPDATE tidemark.alerts
          SET paused = ${paused}, revision = revision + 1, version = NULL, symbols = NULL,
            url = coalesce(${target === undefined ? null : storable(target.url)}, url),
            secret = coalesce(${target?.secret ?? null}, secret)
          WHERE id = ${storable(id)} RETURNING id`;
        await notify(sql);
        return changed.length > 0;
      }),

    removeAlert: id =>
      db.write(async sql => {
        await sql`DELETE FROM tidemark.deliveries WHERE alert = ${storable(id)}`;
        const removed = await sql`DELETE FROM tidemark.alerts WHERE id = ${storable(id)} RETURNING id`;
        await notify(sql);
        return removed.length > 0;
      }),

    recordEvaluation: ({ alert, revision, matching, delivery }) =>
      db.write(async sql => {
        const updated = await sql`
          UPDATE tidemark.alerts
          SET revision = revision + 1, version = ${matching.version}, symbols = ${JSON.stringify(valueOfMatching(matching))}::json
          WHERE id = ${alert} AND revision = ${revision} AND coalesce(version, 0) <= ${matching.version}
          RETURNING id`;
        if (updated.length === 0) return false;
        if (delivery === null) return true;
        const { id, createdAt, entered, left, body } = delivery;
        await sql`
          INSERT INTO tidemark.deliveries (id, alert, created_ms, entered_rows, left_rows, body, state, attempts, next_ms)
          VALUES (${id}, ${alert}, ${createdAt}, ${entered}, ${left}, ${body}, 'waiting', 0, ${createdAt})`;
        return true;
      }),

    dueAlerts: at =>
      db.change(async sql => {
        const rows = await sql<{ alert: string }>`
          SELECT alert FROM tidemark.deliveries WHERE state = 'waiting' AND next_ms <= ${at}
            AND alert IN (SELECT id FROM tidemark.alerts WHERE NOT paused)
          GROUP BY alert ORDER BY min(next_ms), min(number)`;
        return rows.map(({ alert }) => alert);
      }),

    dueDelivery: (alert, at) =>
      db.change(async sql => {
        const [row] = await sql<DeliveryRow>`
          SELECT * FROM tidemark.deliveries WHERE alert = ${alert} AND state = 'waiting' AND next_ms <= ${at}
            AND EXISTS (SELECT 1 FROM tidemark.alerts WHERE id = deliveries.alert AND NOT paused)
          ORDER BY next_ms, number LIMIT 1`;
        return row === undefined ? null : deliveryOfRow(row);
      }),

    recordAttempt: (id, { state, at, nextAt, status, error }) =>
      db.write(async sql => {
        await sql`
          UPDATE tidemark.deliveries
          SET state = ${state}, attempts = attempts + 1, last_ms = ${at}, next_ms = ${nextAt}, status = ${status},
            error = ${error === null ? null : storable(error)},
            body = CASE WHEN ${state} = 'delivered' THEN '' ELSE body END
          WHERE id = ${id} AND state = 'waiting'`;
        if (state === 'waiting') return;
        await sql`
          DELETE FROM tidemark.deliveries WHERE state <> 'waiting' AND number <= (
            SELECT number FROM tidemark.deliveries WHERE state <> 'waiting' ORDER BY number DESC
            LIMIT 1 OFFSET ${DELIVERIES_KEPT})`;
      }),

    deliveries: (limit, alert) =>
      db.query(async sql => {
        const wanted = alert === undefined ? null : storable(alert);
        const rows = await sql<DeliveryRow>`
          SELECT * FROM tidemark.deliveries WHERE alert = ${wanted} OR ${wanted}::text IS NULL
          ORDER BY number DESC LIMIT ${limit}`;
        return rows.map(deliveryOfRow);
      }),
  };
}

function alertOfRow({ direction, url, secret, created_at, version, symbols, ...alert }: AlertRow): StoredAlert {
  return {
    ...alert,
    on: direction,
    target: url === null || secret === null ? null : { url, secret },
    createdAt: created_at.toISOString(),
    matching: matchingOfValue(version, symbols),
  };
}

function deliveryOfRow(row: DeliveryRow): StoredDelivery {
  const { id, alert, body, state, attempts, status, error } = row;
  const { created_ms: createdAt, entered_rows: entered, left_rows: left, last_ms: lastAt, next_ms: nextAt } = row;
  return { id, alert, createdAt, entered, left, body, state, attempts, lastAt, nextAt, status, error };
}
