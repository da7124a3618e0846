// The listing's envelope: exactly ten fields, in this order, around the rows.

import { clockText } from '../../common/clock-text.ts';
import type { PageLinks } from './links.ts';

/** The end of the envelope: the same for every response to one query. */
export function linkFields({ next, prev }: PageLinks): string {
  return `,"next":${JSON.stringify(next)},"prev":${JSON.stringify(prev)}}`;
}

/** `took`: milliseconds, measured as late as possible: it covers everything but the sending. */
export function envelopeStart(took: number, rows: number): string {
  return `{"error":false,"response_time":${millis(took)},"results_returned":${rows},"result":`;
}

export interface EnvelopeEnd {
  readonly now: number;
  /** JSON. */
  readonly metadata: string;
  /** Milliseconds. */
  readonly metaTime: number;
  readonly dataTime: number;
  readonly links: string;
}

export function envelopeEnd({ now, metadata, metaTime, dataTime, links }: EnvelopeEnd): string {
  return (
    `,"datetimeUTC":"${clockText(now)}","metadata":${metadata},"fetch_meta_time":${millis(metaTime)}` +
    `,"fetch_data_time":${millis(dataTime)}${links}`
  );
}

/** With microsecond digits, and never an exponent. */
export function millis(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
