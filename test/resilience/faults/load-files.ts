// The files of a load that takes many transactions: each CSV file is a batch of its own, and profiles are stored 200 at a time.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, isoFromDay } from '../../../src/domain/day.ts';

const FILES = 6;
const ASSETS = 20;
const DAYS_PER_FILE = 100;
export const BARS_PER_FILE = ASSETS * DAYS_PER_FILE;
const FIRST_DAY = 18_000;
const PROFILES = 1000;

/** A folder of CSV files. Each asset has bars in all of them; the last one corrects some bars of the others. */
export function writeBars(folder: string): string {
  const path = join(folder, 'bars');
  mkdirSync(path);
  for (let file = 0; file < FILES; file++) {
    const lines = ['symbol,day,open,high,low,close,volume'];
    for (let asset = 0; asset < ASSETS; asset++) {
      if (file === FILES - 1) lines.push(line(asset, asset * 7, 3));
      for (let day = 0; day < DAYS_PER_FILE; day++) lines.push(line(asset, file * DAYS_PER_FILE + day, 1));
    }
    writeFileSync(join(path, `${String(file).padStart(2, '0')}.csv`), `${lines.join('\n')}\n`);
  }
  return path;
}

function line(asset: number, day: number, factor: number): string {
  const close = (10 + Math.sin(asset + day / 9) + day / 1000) * factor;
  const open = day % 5 === 0 ? '' : (close * 0.99).toFixed(6);
  const iso = isoFromDay((FIRST_DAY + day) as Day); // within the calendar
  return `K${asset},${iso},${open},${(close * 1.02).toFixed(6)},${(close * 0.97).toFixed(6)},${close.toFixed(6)},${day * asset}`;
}

/** Half of the assets above take over their profiles; the other profiles are of assets without prices. */
export function writeProfiles(folder: string): string {
  const path = join(folder, 'profiles.ndjson');
  const records = Array.from({ length: PROFILES }, (_, i) => {
    const number = i * 2;
    const [symbol, name] = [`K${number}`, `Killed ${number}`];
    const tags = [{ id: 'tag', name: 'Tag', coin_counter: i, ico_counter: 0 }];
    return JSON.stringify({ id: `k${number}-killed-${number}`, name, symbol, rank: i + 1, tags, description: name });
  });
  writeFileSync(path, `${records.join('\n')}\n`);
  return path;
}
