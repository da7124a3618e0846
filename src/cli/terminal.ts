// Text for people: tables, numbers, durations, sizes.

import { randomBytes } from 'node:crypto';
import { styleText } from 'node:util';
import { visibleControls } from '../common/visible-controls.ts';
import { BASE_INTERVALS, type BaseInterval } from '../domain/interval.ts';

type Style = Parameters<typeof styleText>[0];

/** Of powers of thousand. */
const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/** Stands for the ESC of a colour until the text is written. No foreign text can hold it, because it is random. */
const STYLE_MARK = `\uE000${randomBytes(8).toString('hex')}\uE000`;

/** Colour where the stream shows colours (NO_COLOR and the like are respected); plain text elsewhere. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  const [before = '', after = ''] = styleText(style, '|', { stream, validateStream: true })
    .replaceAll('\x1b', STYLE_MARK)
    .split('|');
  return before + text + after;
}

/** What all output passes through: of all control characters, only line ends, tabs and the colours of `styled` are left. */
export function terminalText(text: string): string {
  return visibleControls(text).replaceAll(STYLE_MARK, '\x1b');
}

// By hand: the first number that a process formats with Intl takes longer than to load this whole folder.

/** The whole number 1234567 as `1,234,567`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** 1234567 as `1.23M`; a rate that is not known yet as `–`. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(3));
  const unit = rounded < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  return `${rounded / 1000 ** unit}${UNITS[unit]}`;
}

/** `1 asset`, `2 assets`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `3 bars (1d)`, `1,440 bars (1m), 24 bars (1h)`; intervals without bars are left out. */
export function barWords(bars: Readonly<Partial<Record<BaseInterval, number>>>): string {
  const some = BASE_INTERVALS.filter(interval => (bars[interval] ?? 0) > 0);
  return some.map(interval => `${counted(bars[interval] ?? 0, 'bar')} (${interval})`).join(', ') || 'no bars';
}

export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}

export function duration(millis: number): string {
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Columns as wide as their widest cell, two spaces between them. A column whose title begins with `>` is aligned to the right. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map(title => title.replace(/^>/, ''));
  // Not by a spread: there may be more rows than a call can have arguments.
  const widths = head.map((title, i) =>
    rows.reduce((width, row) => Math.max(width, row[i]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (titles[i]?.startsWith('>') ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [styled('gray', line(head)), ...rows.map(line)].join('\n');
}

/** `name  value` lines, the values aligned. */
export function facts(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${styled('gray', name.padEnd(width))}  ${value}`).join('\n');
}
