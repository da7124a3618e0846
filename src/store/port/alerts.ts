// Alerts, the assets that each matches now, and the queue of messages to deliver.

import type { AlertDirection, AlertFormat } from '../../domain/alert.ts';

export interface AlertStore {
  /** Fails if another alert has the id or the name. */
  createAlert(alert: NewAlert): Promise<void>;
  /** Oldest first; never from a standby, which may be behind. */
  alerts(): Promise<StoredAlert[]>;
  /** Forgets what it matched: the next evaluation only notes it. False if there is no such alert. */
  setAlert(id: string, change: AlertChange): Promise<boolean>;
  /** With its deliveries. False if there is no such alert. */
  removeAlert(id: string): Promise<boolean>;
  /**
   * Stores what an alert matches now and queues the message about it, in one transaction. False, and nothing is stored, if the alert
   * has changed since it was read, was removed, or was evaluated with a later version.
   */
  recordEvaluation(evaluation: Evaluation): Promise<boolean>;
  /** The ids of the alerts with a waiting delivery whose time has come, the oldest first, without paused ones; never from a standby. */
  dueAlerts(at: number): Promise<string[]>;
  /** The next waiting one of an alert, if its time has come and the alert is not paused; never from a standby. */
  dueDelivery(alert: string, at: number): Promise<StoredDelivery | null>;
  /** Nothing happens if the delivery has ended or was removed. */
  recordAttempt(id: string, attempt: DeliveryAttempt): Promise<void>;
  /** Newest first; with an id, only those of one alert. */
  deliveries(limit: number, alert?: string): Promise<StoredDelivery[]>;
}

/** Both are secrets: the address of a Slack webhook lets everyone post to it. */
export interface AlertTarget {
  readonly url: string;
  /** Signs the messages. */
  readonly secret: string;
}

export interface NewAlert {
  readonly id: string;
  readonly name: string;
  /** A query string of the listing. */
  readonly query: string;
  readonly on: AlertDirection;
  readonly format: AlertFormat;
  readonly target: AlertTarget;
}

export interface StoredAlert extends Omit<NewAlert, 'target'> {
  /** Null if the alert comes from a backup without secrets; it is paused. */
  readonly target: AlertTarget | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly paused: boolean;
  /** Rises with every change of the alert and of what it matches. */
  readonly revision: number;
  readonly matching: Matching | null;
  /** How many deliveries wait. */
  readonly waiting: number;
}

/** What an alert matched when that last changed. */
export interface Matching {
  /** Of the publication. */
  readonly version: number;
  /** The tickers, sorted. */
  readonly symbols: readonly string[];
  /** What messages said in the last while, oldest first: these assets are not reported again too soon. */
  readonly reported: readonly Reported[];
}

/** The assets that one message reported. */
export interface Reported {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

export interface AlertChange {
  readonly paused: boolean;
  /** Without it the target stays. */
  readonly target?: AlertTarget;
}

export interface Evaluation {
  readonly alert: string;
  /** Of the alert that was evaluated. */
  readonly revision: number;
  readonly matching: Matching;
  /** Null: nothing to report. */
  readonly delivery: NewDelivery | null;
}

export interface NewDelivery {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly entered: number;
  readonly left: number;
  readonly body: string;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export interface DeliveryAttempt {
  readonly state: DeliveryState;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When to try again; null once it has ended. */
  readonly nextAt: number | null;
  /** HTTP status of the response; null without one. */
  readonly status: number | null;
  readonly error: string | null;
}

export interface StoredDelivery extends NewDelivery, Omit<DeliveryAttempt, 'at'> {
  readonly alert: string;
  readonly attempts: number;
  readonly lastAt: number | null;
}

/** Of the deliveries that have ended, this many of the newest are kept, for all alerts together. */
export const DELIVERIES_KEPT = 1000;
