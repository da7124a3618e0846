// The body of a message, in the form that its receiver reads.

import type { AlertFormat } from '../domain/alert.ts';
import type { NewAlert } from '../store/store.ts';
import { type Change, ROWS_SHOWN } from './evaluate.ts';

export interface Report {
  readonly alert: Pick<NewAlert, 'id' | 'name' | 'query' | 'on'>;
  /** Of the publication. */
  readonly version: number;
  /** UTC day of the newest close, such as 2026-06-30; null in a test. */
  readonly day: string | null;
  readonly change: Change;
  /** JSON arrays of the first rows. */
  readonly rows: { readonly entered: string; readonly left: string };
  /** Of the listing with this query; empty if it is not known. */
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  readonly isTest?: true;
}

export const CONTENT_TYPES: Readonly<Record<AlertFormat, string>> = {
  json: 'application/json',
  slack: 'application/json',
  discord: 'application/json',
  ntfy: 'text/plain; charset=utf-8',
};

/** Discord refuses longer messages; ntfy turns messages beyond 4,096 bytes into files. */
const TEXT_LENGTH = 1900;

export function bodyOf(report: Report, format: AlertFormat): string {
  switch (format) {
    case 'json':
      return jsonBody(report);
    case 'slack':
      return JSON.stringify({ text: plainText(report, escapedForSlack) });
    case 'discord':
      // A name that looks like a mention notifies no member.
      return JSON.stringify({ content: plainText(report, escapedForDiscord), allowed_mentions: { parse: [] } });
    case 'ntfy':
      return plainText(report, text => text);
  }
}

/** The members that Standard Webhooks recommends; what happened is in `data`. */
function jsonBody({ alert, version, day, change, rows, url, at, isTest }: Report): string {
  const side = (symbols: readonly string[], shown: string) => `{"count":${symbols.length},"rows":${shown}}`;
  const data = [
    `"alert":${JSON.stringify(alert)}`,
    `"version":${version}`,
    `"day":${JSON.stringify(day)}`,
    `"entered":${side(change.entered, rows.entered)}`,
    `"left":${side(change.left, rows.left)}`,
    `"url":${JSON.stringify(url)}`,
  ];
  const type = isTest ? 'alert.test' : 'alert.changed';
  return `{"type":"${type}","timestamp":${JSON.stringify(at)},"data":{${data.join()}}}`;
}

function plainText({ alert, day, change, url, isTest }: Report, escaped: (text: string) => string): string {
  const sides = [sentence('Entered', change.entered), sentence('Left', change.left)].filter(line => line !== '');
  const start = isTest ? `Test of the alert ${alert.name}` : `${alert.name} (${day})`;
  const end = url === '' ? '' : `\n${url}`;
  const text = escaped([start, ...sides].join('\n'));
  return (text.length + end.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH - 1).toWellFormed()}…` : text) + end;
}

function sentence(word: string, symbols: readonly string[]): string {
  if (symbols.length === 0) return '';
  const more = symbols.length - ROWS_SHOWN;
  return `${word}: ${symbols.slice(0, ROWS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The three characters that Slack asks to escape. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapedForDiscord(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()<@-]/g, '\\$&');
}
