// Alerts: saved queries of the listing, and the messages that report which assets entered or left them.

import { randomBytes } from 'node:crypto';

export const ALERT_DIRECTIONS = ['enter', 'leave', 'both'] as const;
export type AlertDirection = (typeof ALERT_DIRECTIONS)[number];

export const ALERT_FORMATS = ['json', 'slack', 'discord', 'ntfy'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];

/** The prefix of secrets in Standard Webhooks; the rest is the key of the signature in Base64. */
export const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
/** 72 random bits for an alert, 144 for a message. */
const ID_BYTES = 9;

export function newAlertId(): string {
  return `alert_${randomBytes(ID_BYTES).toString('hex')}`;
}

/** The same for every attempt to deliver one message: a receiver that gets it twice sees the same id. */
export function newDeliveryId(): string {
  return `msg_${randomBytes(2 * ID_BYTES).toString('base64url')}`;
}

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}
