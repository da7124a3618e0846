// Delivers the waiting messages of alerts: one at a time per alert, several alerts at once, each message until it is accepted or given up.

import { type BackOff, backOffMs } from '../common/back-off.ts';
import type { AlertFormat } from '../domain/alert.ts';
import type { ServiceEvent } from '../observe/events.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import type { AlertStore, AlertTarget, DeliveryAttempt, StoredAlert, StoredDelivery } from '../store/store.ts';
import { DeliverySlots } from './delivery-slots.ts';
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
  readonly store: Pick<AlertStore, 'dueAlerts' | 'dueDelivery' | 'recordAttempt'>;
  readonly metrics: Pick<SharedMetrics, 'add'>;
  readonly onEvent: (event: ServiceEvent) => void;
}

export class DeliveryRunner {
  readonly #options: DeliveryOptions;
  /** By the id of the alert. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Attempts that could not be recorded, by the id of the message: it must not be sent again because of that. */
  readonly #unrecorded = new Map<string, DeliveryAttempt>();
  readonly #undeliverable = new Set<string>();
  readonly #slots = new DeliverySlots();
  /** Alerts with a message that is due, in the order in which they are started. */
  #due: readonly StoredAlert[] = [];
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
    const { store, now = Date.now } = this.#options;
    const byId = new Map(alerts.map(alert => [alert.id, alert]));
    this.#due = (await store.dueAlerts(now())).flatMap(id => byId.get(id) ?? []);
    this.#start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#underWay.values());
  }

  /** As many as there are slots for. */
  #start(): void {
    if (this.#stopped) return;
    this.#due = this.#due.filter(alert => {
      const { id, target } = alert;
      if (target === null || this.#underWay.has(id)) return false;
      const receiver = new URL(target.url).origin;
      if (!this.#slots.take(receiver)) return true;
      const ended = this.#deliverAll(id, alert.format, target, receiver).finally(() => {
        this.#underWay.delete(id);
        this.#slots.release(receiver);
        this.#start();
      });
      this.#underWay.set(id, ended);
      // The next round finds the store in the same state, and reports it.
      ended.catch(() => {});
      return false;
    });
  }

  /** Those of one alert, as long as they are accepted. */
  async #deliverAll(alert: string, format: AlertFormat, target: AlertTarget, receiver: string): Promise<void> {
    const { store, now = Date.now } = this.#options;
    while (!this.#stopped) {
      const next = await store.dueDelivery(alert, now());
      if (next === null || this.#unrecorded.has(next.id)) return;
      const { ok, status } = await this.#deliver(next, format, target);
      this.#slots.tried(receiver, status !== null);
      if (!ok) return;
    }
  }

  async #deliver(delivery: StoredDelivery, format: AlertFormat, { url, secret }: AlertTarget): Promise<PostOutcome> {
    const { store, allowPrivate, now = Date.now, post: send = post } = this.#options;
    const { id, body } = delivery;
    const headers = { 'content-type': CONTENT_TYPES[format], ...signedHeaders(id, now(), body, secret) };
    const outcome = await send(url, headers, body, { allowPrivate });
    const attempt = this.#attemptOf(delivery, outcome, now());
    this.#logAttempt(delivery.alert, id, attempt);
    this.#unrecorded.set(id, attempt);
    await store.recordAttempt(id, attempt);
    this.#unrecorded.delete(id);
    return outcome;
  }

  #attemptOf({ createdAt, attempts }: StoredDelivery, { ok, status, error }: PostOutcome, at: number): DeliveryAttempt {
    const giveUpAt = createdAt + GIVE_UP_MS;
    const ended = ok || at >= giveUpAt;
    const pause = pauseAfter(attempts + 1, (this.#options.random ?? Math.random)());
    const nextAt = ended ? null : Math.min(at + pause, giveUpAt);
    return { state: ok ? 'delivered' : ended ? 'failed' : 'waiting', at, nextAt, status, error };
  }

  #logAttempt(alert: string, delivery: string, { state, error }: DeliveryAttempt): void {
    const { metrics, onEvent } = this.#options;
    const reason = error ?? '';
    if (state === 'delivered') {
      metrics.add('alertMessagesSent');
      if (this.#undeliverable.delete(alert)) onEvent({ event: 'alert_deliverable', alert });
      return;
    }
    metrics.add('alertAttemptsFailed');
    if (!this.#undeliverable.has(alert)) onEvent({ event: 'alert_undeliverable', alert, reason });
    this.#undeliverable.add(alert);
    if (state === 'waiting') return;
    metrics.add('alertMessagesFailed');
    onEvent({ event: 'alert_delivery_failed', alert, delivery, reason });
  }
}

const BACK_OFF: BackOff = { firstMs: 5_000, longestMs: 3_600_000 };
/** From the moment that the message was queued. */
export const GIVE_UP_MS = 24 * 3_600_000;

/** Milliseconds until the next attempt after `attempts` have failed. `random` is at least 0 and less than 1. */
export function pauseAfter(attempts: number, random: number): number {
  return backOffMs(BACK_OFF, attempts, random);
}
