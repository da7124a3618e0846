// What to write instead of a name that is not a column: the nearest one, and the windows that an indicator is computed for.

import { nearest } from './nearest.ts';

/** For a person, and the name that was probably meant, for programs. */
export interface NameHint {
  readonly hint: string;
  readonly meant?: string;
}

/** `others` are names that are accepted in the same place. */
export function columnHint(name: string, columns: readonly string[], others: readonly string[] = []): NameHint {
  const windows = windowsHint(name, columns);
  if (windows !== null) return windows;
  const near = nearest(name, [...others, ...columns]);
  if (near === null) return { hint: `Columns: ${[...others, ...columns].join(', ')}.` };
  return { hint: `Did you mean ${near}?`, meant: near };
}

/** Null unless the name is an indicator of the catalogue with a window that it does not have, such as `ema9`. */
export function windowsHint(name: string, columns: readonly string[]): NameHint | null {
  const [, indicator = '', window] = /^([a-z]+)(\d{1,6})$/i.exec(name) ?? [];
  if (window === undefined) return null;
  const prefix = indicator.toLowerCase();
  const family = columns.filter(column => column.startsWith(prefix) && /^\d+$/.test(column.slice(prefix.length)));
  if (family.length === 0) return null;
  const windows = family.map(column => Number(column.slice(prefix.length)));
  const distance = (candidate: number) => Math.abs(candidate - Number(window));
  const nearestWindow = windows.reduce((best, each) => (distance(each) < distance(best) ? each : best));
  const near = nearest(name, family) ?? `${prefix}${nearestWindow}`;
  const list = windows.length === 1 ? `The only window of ${prefix} is` : `The windows of ${prefix} are`;
  return { hint: `Did you mean ${near}? ${list} ${windows.join(', ')} days.`, meant: near };
}
