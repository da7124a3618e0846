// The listing's envelope: exactly ten fields, in this order, around the bytes of the rows.

import type { PageLinks } from './links.ts';

export interface Envelope {
  readonly resultBytes: Buffer;
  readonly rows: number;
  readonly metadata: object | null;
  /** Milliseconds. */
  readonly metaTime: number;
  readonly dataTime: number;
  readonly now: number;
  readonly links: PageLinks;
}

/** `took` is asked as late as possible, so that it covers all but the sending. */
export function envelopeBytes(envelope: Envelope, took: () => number): Buffer {
  const { resultBytes, rows, metadata, metaTime, dataTime, now, links } = envelope;
  const tail =
    `,"datetimeUTC":"${clockText(now)}","metadata":${JSON.stringify(metadata)},"fetch_meta_time":${millis(metaTime)}` +
    `,"fetch_data_time":${millis(dataTime)},"next":${JSON.stringify(links.next)},"prev":${JSON.stringify(links.prev)}}`;
  const head = `{"error":false,"response_time":${millis(took())},"results_returned":${rows},"result":`;
  return Buffer.concat([Buffer.from(head), resultBytes, Buffer.from(tail)]);
}

/** With microsecond digits, and never an exponent. */
export function millis(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function clockText(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replace('T', ' ');
}
