// The body of a message, in the form that its receiver reads.

import type { AlertFormat } from '../domain/alert.ts';
import type { Column } from '../domain/columns.ts';
import type { NewAlert } from '../store/store.ts';
import { cellText } from './cell-text.ts';
import type { ReportRow, ReportSide } from './report-rows.ts';

/** All that one alert reports of one publication. */
export interface Report {
  readonly alert: Pick<NewAlert, 'id' | 'name' | 'query' | 'on'>;
  /** Of the publication. */
  readonly version: number;
  /** UTC day of the newest close, such as 2026-06-30; null in a test. */
  readonly day: string | null;
  readonly entered: ReportSide;
  readonly left: ReportSide;
  /** What a text shows of each row. */
  readonly columns: readonly Column[];
  /** Of the listing with this query; empty if it is not known. */
  readonly url: string;
  /** Of the explorer's screen with this query; empty if it is not known. */
  readonly screenUrl: string;
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

/** How a chat writes a text. */
interface Style {
  /** Of the whole text, in UTF-8. */
  readonly maxBytes: number;
  escaped(text: string): string;
  bold(text: string): string;
  link(url: string): string;
}

const SLACK: Style = {
  // Slack itself cuts at 40,000 characters.
  maxBytes: 12_000,
  escaped: escapedForSlack,
  bold: text => `*${text}*`,
  link: url => `<${escapedForSlack(url)}|Open the screen>`,
};

const DISCORD: Style = {
  // Discord refuses more than 2,000 characters.
  maxBytes: 1950,
  escaped: text => text.replace(/[\\*_~`|>#[\]()<@-]/g, '\\$&'),
  bold: text => `**${text}**`,
  // In angle brackets it shows no preview.
  link: url => `[Open the screen](<${url}>)`,
};

const PLAIN: Style = {
  // ntfy turns messages beyond 4,096 bytes into files.
  maxBytes: 4000,
  escaped: text => text,
  bold: text => text,
  link: url => url,
};

export function bodyOf(report: Report, format: AlertFormat): string {
  switch (format) {
    case 'json':
      return jsonBody(report);
    case 'slack':
      return JSON.stringify({ text: chatText(report, SLACK) });
    case 'discord':
      // A name that looks like a mention notifies no member.
      return JSON.stringify({ content: chatText(report, DISCORD), allowed_mentions: { parse: [] } });
    case 'ntfy':
      return chatText(report, PLAIN);
  }
}

/** The members that Standard Webhooks recommends; what happened is in `data`. */
function jsonBody({ alert, version, day, entered, left, url, screenUrl, at, isTest }: Report): string {
  const data = { alert, version, day, entered, left, url, screen_url: screenUrl };
  return JSON.stringify({ type: isTest ? 'alert.test' : 'alert.changed', timestamp: at, data });
}

/** With as many rows as fit. The link stays whole, or is left out. */
function chatText(report: Report, style: Style): string {
  const fits = (text: string) => Buffer.byteLength(text) <= style.maxBytes;
  const link = report.screenUrl === '' ? [] : [style.link(report.screenUrl)];
  const longest = Math.max(report.entered.rows.length, report.left.rows.length);
  for (const end of [link, []]) {
    for (let rows = longest; rows >= 0; rows--) {
      const text = [...linesOf(report, style, rows), ...end].join('\n');
      if (fits(text)) return text;
    }
  }
  return style.escaped(`Alert ${report.alert.id}`);
}

function linesOf({ alert, day, entered, left, columns, isTest }: Report, style: Style, rows: number): string[] {
  if (isTest) return [style.escaped(`Test of the alert ${alert.name}`)];
  return [
    `${style.bold(style.escaped(alert.name))} ${style.escaped(`(${day})`)}`,
    ...sideLines('Entered', entered, columns, style, rows),
    ...sideLines('Left', left, columns, style, rows),
  ];
}

function sideLines(word: string, side: ReportSide, columns: readonly Column[], style: Style, rows: number): string[] {
  if (side.count === 0) return [];
  const shown = side.rows.slice(0, rows);
  const more = side.count - shown.length;
  return [
    style.bold(`${word}: ${side.count}`),
    ...shown.map(row => `• ${style.bold(style.escaped(row.symbol))} ${style.escaped(rowText(row, columns))}`),
    ...(more > 0 && shown.length > 0 ? [`… and ${more} more`] : []),
  ];
}

function rowText(row: ReportRow, columns: readonly Column[]): string {
  const cells = columns.filter(({ name }) => row[name] !== undefined);
  if (cells.length === 0) return '(no longer listed)';
  return cells.map(column => cellText(column, row[column.name] ?? null)).join(', ');
}

/** The three characters that Slack asks to escape. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
