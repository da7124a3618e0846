// How long each test file took the last time, in milliseconds.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const file = join(import.meta.dirname, '../node_modules/.cache/test-durations.json');

export type TestDurations = Readonly<Record<string, number>>;

export function readDurations(): TestDurations {
  try {
    return JSON.parse(readFileSync(file, 'utf8')); // written below
  } catch {
    return {}; // the first run
  }
}

export function keepDurations(durations: TestDurations): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readDurations(), ...durations }));
}
