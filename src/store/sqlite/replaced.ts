// The closes that were replaced and not yet published, in SQLite: those of a team of assets in a row, each as asset, day and close.

import type { AssetNumber } from '../../domain/asset.ts';
import { ReplacedBatch, type ReplacedCloses } from '../replaced-closes.ts';
import { TEAM_SIZE, teamOf } from './bar-tiles.ts';
import type { Connection } from './connection.ts';
import { type Blob, type Numbers, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

/** The numbers of one close. */
const WIDTH = 3;

export interface ReplacedStore {
  of(key: AssetNumber): ReplacedCloses;
  all(): ReplacedBatch;
  /** A day that is there already stays as it is: it was replaced twice. */
  add(batch: ReplacedBatch): void;
  forget(keys: Iterable<AssetNumber>): void;
}

export function replacedStore(db: Connection): ReplacedStore {
  const find = db.query<[Blob]>('SELECT closes FROM replaced WHERE team = ?');
  const teams = db.query<[team: number, closes: Blob]>('SELECT team, closes FROM replaced ORDER BY team');
  const put = db.command('REPLACE INTO replaced VALUES (?, ?)');
  const remove = db.command('DELETE FROM replaced WHERE team = ?');

  function closesOf(team: number): Numbers {
    const row = find.get(team);
    return row === undefined ? newNumbers(0) : unsealed(row[0]);
  }

  return {
    of(key) {
      const numbers = closesOf(teamOf(key));
      const closes = new Map<number, number>();
      for (let at = 0; at < numbers.length; at += WIDTH) {
        if (numbers[at] === key) closes.set(numbers[at + 1]!, numbers[at + 2]!);
      }
      return closes;
    },

    all() {
      const batch = new ReplacedBatch();
      for (const [, bytes] of teams.all()) {
        const numbers = unsealed(bytes);
        for (let at = 0; at < numbers.length; at += WIDTH) batch.add(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
      }
      return batch;
    },

    add({ key, day, close }) {
      for (let from = 0, to = 0; from < key.length; from = to) {
        const team = teamOf(key[from]!);
        while (to < key.length && teamOf(key[to]!) === team) to++;
        const before = closesOf(team);
        const known = new Set<number>();
        for (let at = 0; at < before.length; at += WIDTH) known.add(placeOf(before[at]!, before[at + 1]!));
        const added: number[] = [];
        for (let i = from; i < to; i++) {
          if (!known.has(placeOf(key[i]!, day[i]!))) added.push(key[i]!, day[i]!, close[i]!);
        }
        put.run(team, joined(before, added));
      }
    },

    forget(keys) {
      let forgotten: Set<AssetNumber> | undefined;
      for (const [team, bytes] of teams.all()) {
        forgotten ??= new Set(keys);
        const numbers = unsealed(bytes);
        const left: number[] = [];
        for (let at = 0; at < numbers.length; at += WIDTH) {
          if (!forgotten.has(numbers[at]!)) left.push(...numbers.subarray(at, at + WIDTH));
        }
        if (left.length === 0) remove.run(team);
        else if (left.length < numbers.length) put.run(team, joined(newNumbers(0), left));
      }
    },
  };
}

/** Different for any two days of the assets of one team. */
function placeOf(key: AssetNumber, day: number): number {
  return day * TEAM_SIZE + (key % TEAM_SIZE);
}

function joined(some: Numbers, more: readonly number[]): Blob {
  const numbers = newNumbers(some.length + more.length);
  numbers.set(some);
  numbers.set(more, some.length);
  return sealed(numbers);
}
