// Delivers the waiting messages of alerts: one at a time per alert, several alerts at once, each message until it is accepted or given up.

import type { ServiceEvent } from '../observe/events.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import type { AlertStore, DeliveryAttempt, StoredAlert, StoredDelivery } from '../store/store.ts';
import { GIVE_UP_MS, pauseAfter } from './back-off.ts';
import { CONTENT_TYPES } from './message.ts';
import { type PostOutcome, post } from './post.ts';
import { signedHeaders } from './sign.ts';

/** What tests replace. */
export interface DeliveryTools {
  readonly allowPrivate: boolean;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly post?: typeof post;
}

interface DeliveryOptions extends DeliveryTools {
  readonly store: Pick<AlertStore, 'dueDeliveries' | 'recordAttempt'>;
  readonly metrics: Pick<SharedMetrics, 'add'>;
  readonly tell: (event: ServiceEvent) => void;
}

/** A receiver that does not respond holds up its own alert only. */
const MAX_AT_ONCE = 32;

export class DeliveryRunner {
  readonly #options: DeliveryOptions;
  /** By the id of the alert. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Attempts that could not be recorded, by the id of the message: it must not be sent again because of that. */
  readonly #unrecorded = new Map<string, DeliveryAttempt>();
  readonly #undeliverable = new Set<string>();
  #stopped = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts what is due, and does not wait for it. */
  async run(alerts: readonly StoredAlert[]): Promise<void> {
    for (const [id, attempt] of this.#unrecorded) {
      await this.#options.store.recordAttempt(id, attempt);
      this.#unrecorded.delete(id);
    }
    const byId = new Map(alerts.map(alert => [alert.id, alert]));
    for (const delivery of await this.#due()) {
      const alert = byId.get(delivery.alert);
      if (alert === undefined || this.#underWay.has(alert.id) || this.#underWay.size >= MAX_AT_ONCE) continue;
      const ended = this.#deliverAll(alert, delivery).finally(() => this.#underWay.delete(alert.id));
      this.#underWay.set(alert.id, ended);
      // The next round finds the store in the same state, and reports it.
      ended.catch(() => {});
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#underWay.values());
  }

  /** Those of one alert, as long as they are accepted. */
  async #deliverAll(alert: StoredAlert, first: StoredDelivery): Promise<void> {
    for (let next: StoredDelivery | undefined = first; next !== undefined && !this.#stopped; ) {
      if (!(await this.#deliver(alert, next))) return;
      next = (await this.#due()).find(delivery => delivery.alert === alert.id);
    }
  }

  async #due(): Promise<StoredDelivery[]> {
    const { store, now = Date.now } = this.#options;
    const due = await store.dueDeliveries(now(), 10 * MAX_AT_ONCE);
    return due.filter(({ id }) => !this.#unrecorded.has(id));
  }

  /** Returns whether it was accepted. */
  async #deliver(alert: StoredAlert, delivery: StoredDelivery): Promise<boolean> {
    const { store, allowPrivate, now = Date.now, post: send = post } = this.#options;
    if (alert.target === null) return false;
    const { url, secret } = alert.target;
    const { id, body } = delivery;
    const headers = { 'content-type': CONTENT_TYPES[alert.format], ...signedHeaders(id, now(), body, secret) };
    const outcome = await send(url, headers, body, { allowPrivate });
    const attempt = this.#attemptOf(delivery, outcome, now());
    this.#tell(alert.id, id, attempt);
    this.#unrecorded.set(id, attempt);
    await store.recordAttempt(id, attempt);
    this.#unrecorded.delete(id);
    return outcome.ok;
  }

  #attemptOf({ createdAt, attempts }: StoredDelivery, { ok, status, error }: PostOutcome, at: number): DeliveryAttempt {
    const giveUpAt = createdAt + GIVE_UP_MS;
    const ended = ok || at >= giveUpAt;
    const pause = pauseAfter(attempts + 1, (this.#options.random ?? Math.random)());
    const nextAt = ended ? null : Math.min(at + pause, giveUpAt);
    return { state: ok ? 'delivered' : ended ? 'failed' : 'waiting', at, nextAt, status, error };
  }

  #tell(alert: string, delivery: string, { state, error }: DeliveryAttempt): void {
    const { metrics, tell } = this.#options;
    const reason = error ?? '';
    if (state === 'delivered') {
      metrics.add('alertMessagesSent');
      if (this.#undeliverable.delete(alert)) tell({ event: 'alert_deliverable', alert });
      return;
    }
    metrics.add('alertAttemptsFailed');
    if (!this.#undeliverable.has(alert)) tell({ event: 'alert_undeliverable', alert, reason });
    this.#undeliverable.add(alert);
    if (state === 'waiting') return;
    metrics.add('alertMessagesFailed');
    tell({ event: 'alert_delivery_failed', alert, delivery, reason });
  }
}
