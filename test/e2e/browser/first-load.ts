// The files that a browser fetches before the screener can show anything: the page, and what it names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../../../web/dist');

export function pageText(): string {
  return readFileSync(join(dist, 'index.html'), 'utf8');
}

/** Licences, which no browser fetches by itself. */
export function noticesFile(): string {
  const path = /<link rel="license" href="([^"]+)"/.exec(pageText())?.[1];
  return readFileSync(join(dist, path ?? 'no licences are named'), 'utf8');
}

/** Their paths on the server. */
export function namedFiles(): readonly string[] {
  const paths = [...pageText().matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(match => match[1]!);
  return paths.filter(path => !path.endsWith('.txt'));
}

export function firstLoad(): readonly Buffer[] {
  return [Buffer.from(pageText()), ...namedFiles().map(name => readFileSync(join(dist, name)))];
}
