// The files that a browser fetches before the screener can show anything: the page, and what it names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../../../web/dist');

export function pageText(): string {
  return readFileSync(join(dist, 'index.html'), 'utf8');
}

/** Their paths on the server. */
export function namedFiles(): readonly string[] {
  return [...pageText().matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(match => match[1]!);
}

export function firstLoad(): readonly Buffer[] {
  return [Buffer.from(pageText()), ...namedFiles().map(name => readFileSync(join(dist, name)))];
}
