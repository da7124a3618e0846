// Evaluates the alerts of a store after each publication and delivers their messages. Of the servers of a store, the one that holds
// the lock does it; when that server ends, however it ends, another one takes the lock and goes on from what the store holds.

import { setImmediate as turn } from 'node:timers/promises';
import { newDeliveryId } from '../domain/alert.ts';
import { isoOfPeriod } from '../domain/interval.ts';
import type { ServiceEvent } from '../observe/events.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import { type EarlierValues, withEarlier } from '../query/execute/earlier-values.ts';
import { findQuote } from '../query/execute/find-named.ts';
import type { Plan } from '../query/parse/plan.ts';
import { hasOptional, type Snapshot, type Table } from '../snapshot/table.ts';
import type { AlertStore, StoredAlert, StoreLock, StoreLocks } from '../store/store.ts';
import { DeliveryRunner, type DeliveryTools } from './delivery-runner.ts';
import { dueChanges } from './due-changes.ts';
import { type Change, matchesOf } from './evaluate.ts';
import { listingUrl } from './listing-url.ts';
import { bodyOf } from './message.ts';
import { parseAlertQuery } from './parse-alert-query.ts';
import { namedColumns, reportSide } from './report-rows.ts';
import { screenUrl } from './screen-url.ts';

export interface AlertRunnerOptions extends DeliveryTools {
  readonly store: StoreLocks &
    Pick<AlertStore, 'alerts' | 'recordEvaluation' | 'dueAlerts' | 'dueDelivery' | 'recordAttempt'>;
  /** The URL that clients use for the service; empty if it is not known. */
  readonly baseUrl: () => string;
  /** Path segment of the datasets. */
  readonly group: string;
  /** An asset is not reported again before this much time has passed, in milliseconds. */
  readonly againAfterMs: number;
  readonly metrics: Pick<SharedMetrics, 'add' | 'set'>;
  readonly onEvent: (event: ServiceEvent) => void;
  /** Has the optional columns published: a query needs one, and the snapshot has none. */
  readonly wantOptional: () => void;
  /** The newest listing of another interval than days, or in another quote; null if it cannot be built now. */
  readonly listing: (plan: Plan) => Promise<Snapshot | null>;
  /** The values of earlier periods that a plan reads, for the listing of a snapshot; null if they cannot be computed now. */
  readonly earlier: (plan: Plan, snapshot: Snapshot) => Promise<EarlierValues | null>;
  readonly lockEveryMs?: number;
  readonly longRoundMs?: number;
}

/** An alert with this many waiting messages is not evaluated until one is delivered: what changes meanwhile is reported at once. */
export const MAX_WAITING = 100;
/**
 * After a round that took longer than this, thousands of alerts or very broad ones, the next begins when four times as long has passed:
 * the thread that follows the store has other work.
 */
const LONG_ROUND_MS = 1000;
const PAUSE_FACTOR = 4;
/** To ask for the lock costs PostgreSQL a connection. */
const LOCK_MS = 4000;

export class AlertRunner {
  readonly #options: AlertRunnerOptions;
  readonly #deliveries: DeliveryRunner;
  readonly #plans = new Map<string, Plan | null>();
  /** Of each alert, the revision and the snapshot that it was last evaluated with, and when a change that was held back is due. */
  readonly #evaluated = new Map<string, { readonly state: string; readonly until: number }>();
  #snapshot: Snapshot | null = null;
  #lock: StoreLock | null = null;
  #lockAt = 0;
  #running: Promise<void> | null = null;
  #stopped = false;
  #isUnfinished = false;
  #again = false;
  #restsUntil = 0;

  constructor(options: AlertRunnerOptions) {
    this.#options = options;
    this.#deliveries = new DeliveryRunner(options);
  }

  /** The next evaluation is of this one. */
  take(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
  }

  /** Whether a message waits for its delivery, or an alert for its evaluation. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /**
   * To be called after each publication and change of an alert, every few seconds for the lock, and every second while it is
   * unfinished. Calls during a round lead to one more; after a long round they do nothing for a while. Fails if the store does.
   */
  run(): Promise<void> {
    if (this.#running === null && performance.now() < this.#restsUntil) return Promise.resolve();
    this.#again = true;
    this.#running ??= this.#rounds().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Waits for messages on their way, and lets another server go on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {});
    await this.#deliveries.stop();
    await this.#lock?.release();
    this.#lock = null;
  }

  /** Another one if there was a call meanwhile: the round may have read the alerts or the snapshot before. */
  async #rounds(): Promise<void> {
    while (this.#again && performance.now() >= this.#restsUntil) {
      this.#again = false;
      const began = performance.now();
      await this.#round();
      const took = performance.now() - began;
      if (took > (this.#options.longRoundMs ?? LONG_ROUND_MS))
        this.#restsUntil = performance.now() + PAUSE_FACTOR * took;
    }
  }

  async #round(): Promise<void> {
    const { store, metrics } = this.#options;
    if (this.#stopped) return;
    if (this.#lock?.lost.aborted) this.#lock = null;
    let alerts = await store.alerts();
    if (alerts.length > 0 && this.#lock === null) {
      await this.#askForLock();
      // The server that held the lock may have changed them since.
      alerts = await store.alerts();
    }
    const mine = this.#lock !== null && !this.#stopped;
    const waiting = mine ? alerts.reduce((sum, alert) => sum + alert.waiting, 0) : 0;
    metrics.set('alertMessagesWaiting', waiting);
    this.#isUnfinished = mine && alerts.some(alert => alert.waiting > 0 && !alert.paused && alert.target !== null);
    if (!mine) return;
    for (const alert of alerts) {
      await this.#evaluate(alert);
      await turn();
    }
    await this.#deliveries.run(alerts);
  }

  async #askForLock(): Promise<void> {
    if (performance.now() < this.#lockAt) return;
    this.#lockAt = performance.now() + (this.#options.lockEveryMs ?? LOCK_MS);
    this.#lock = await this.#options.store.lock('alerts');
  }

  async #evaluate(alert: StoredAlert): Promise<void> {
    const current = this.#snapshot;
    if (current === null || alert.paused || alert.target === null || alert.waiting >= MAX_WAITING) return;
    const state = `${alert.revision} ${current.fingerprint}`;
    const parsed = this.#planOf(alert);
    const { store, onEvent, wantOptional, againAfterMs, now: clock = Date.now } = this.#options;
    const known = this.#evaluated.get(alert.id);
    const at = clock();
    if (parsed === null || (known?.state === state && at < known.until)) return;
    // It is evaluated with the snapshot that has them.
    const isCurrent = parsed.interval === '1d' && parsed.quote === null;
    if (isCurrent && parsed.usesOptional && !hasOptional(current)) return wantOptional();
    const snapshot = isCurrent ? current : await this.#options.listing(parsed);
    if (snapshot === null) {
      this.#isUnfinished = true;
      return;
    }
    const unit = parsed.quote === null ? null : (findQuote(snapshot, parsed.quote)?.symbol ?? parsed.quote);
    const plan = await this.#withEarlier({ ...parsed, unit }, snapshot);
    if (plan === null) return;
    const table = snapshot.tables['ta-cur'];
    const now = matchesOf(plan, table);
    // The first evaluation only notes what matches.
    const before = alert.matching ?? { symbols: now, reported: [], version: snapshot.version };
    const { report, reported, hasChanged, heldUntil } = dueChanges(before, now, alert.on, at, againAfterMs);
    if (alert.matching === null || hasChanged) {
      const evaluation = {
        alert: alert.id,
        revision: alert.revision,
        matching: { version: snapshot.version, symbols: now.toSorted(), reported },
        delivery: report && this.#messageOf(alert, plan, snapshot, report, at),
      };
      // Else the alert was changed meanwhile, and is evaluated in the next round.
      const stored = await store.recordEvaluation(evaluation);
      this.#isUnfinished ||= !stored || report !== null;
      if (!stored) return;
      if (report !== null) {
        const [entered, left] = [report.entered.length, report.left.length];
        onEvent({ event: 'alert_fired', alert: alert.id, version: snapshot.version, entered, left });
      }
      this.#evaluated.set(alert.id, { state: `${alert.revision + 1} ${current.fingerprint}`, until: heldUntil });
    } else this.#evaluated.set(alert.id, { state, until: heldUntil });
  }

  /** Null if the earlier periods that it reads cannot be computed now: the next round tries again. */
  async #withEarlier(plan: Plan, snapshot: Snapshot): Promise<Plan | null> {
    if (plan.lags.length === 0) return plan;
    const values = await this.#options.earlier(plan, snapshot);
    this.#isUnfinished ||= values === null;
    return values && withEarlier(plan, values);
  }

  #messageOf(alert: StoredAlert, plan: Plan, { version, tables }: Snapshot, change: Change, createdAt: number) {
    const { baseUrl, group } = this.#options;
    const { id, name, query, on } = alert;
    const table = tables['ta-cur'];
    const report = {
      alert: { id, name, query, on },
      version,
      day: newestDay(table),
      entered: reportSide(plan, table, change.entered),
      left: reportSide(plan, table, change.left),
      columns: namedColumns(plan),
      url: listingUrl(baseUrl(), group, query),
      screenUrl: screenUrl(baseUrl(), query, plan),
      at: new Date(createdAt).toISOString(),
    };
    const [entered, left] = [change.entered.length, change.left.length];
    return { id: newDeliveryId(), createdAt, entered, left, body: bodyOf(report, alert.format) };
  }

  /** Null if it cannot be evaluated: a later version of Tidemark may read queries differently. */
  #planOf({ id, query }: StoredAlert): Plan | null {
    const known = this.#plans.get(id);
    if (known !== undefined) return known;
    let plan: Plan | null = null;
    try {
      plan = parseAlertQuery(query);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onEvent({ event: 'alert_invalid', alert: id, reason });
    }
    this.#plans.set(id, plan);
    return plan;
  }
}

function newestDay({ columns }: Table): string | null {
  const days = columns.find(column => column.kind === 'day');
  if (days === undefined || days.values.length === 0) return null;
  const newest = days.values.reduce((latest, day) => Math.max(latest, day));
  return isoOfPeriod(days.interval, newest);
}
