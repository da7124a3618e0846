// Bits flipped in the file of a SQLite store, aimed at every table and index: each flip is harmless, is refused by the read that meets
// it, or is found by `verify`. None changes an answer silently.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, mock } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { StoreError } from '../../../src/store/store.ts';
import { pick, uniform } from '../../support/market.ts';
import { trial } from './findings.ts';
import { type Answers, answersOf, fillAllTables, write } from './flipped-bits.ts';
import { rounds, run, withStore } from './loading.ts';

/** Whole pages of a table or index. */
interface Pages {
  readonly name: string;
  readonly offsets: readonly number[];
}

const PAGE = 4096;
const FLIPS = rounds(4, 1) * 10;
type Outcome = 'harmless' | 'refused' | 'found';

describe('a SQLite store in whose file a bit is flipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bits-'));
  after(() => {
    mock.timers.reset();
    rmSync(folder, { recursive: true });
  });
  const [whole, damaged] = [join(folder, 'whole.db'), join(folder, 'damaged.db')];
  let bytes: Buffer;
  let targets: readonly Pages[];
  /** Of the whole store, as it is and after a load. */
  let expected: { readonly read: Answers; readonly written: Answers };

  before(async () => {
    // What is written at the same time is the same in both files.
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    await withStore(`sqlite:${whole}`, fillAllTables);
    bytes = readFileSync(whole);
    targets = pagesOf(whole);
    const read = await withStore(`sqlite:${whole}`, answersOf);
    await withStore(`sqlite:${whole}`, write);
    expected = { read, written: await withStore(`sqlite:${whole}`, answersOf) };
  });

  for (const [use, name] of [
    ['read', 'never answers wrongly'],
    ['written', 'never answers wrongly after a load either'],
  ] as const) {
    it(name, t =>
      trial(t, { fault: `bits flipped in a SQLite file, ${use}`, rounds: FLIPS }, async () => {
        const random = uniform(use === 'read' ? 1 : 2);
        const outcomes: Record<Outcome, number> = { harmless: 0, refused: 0, found: 0 };
        for (let flip = 0; flip < FLIPS; flip++) {
          const target = targets[flip % targets.length]!;
          const at = byteOf(target, random);
          const bit = Math.floor(random() * 8);
          const copy = Buffer.from(bytes);
          copy[at]! ^= 1 << bit;
          const place = `bit ${bit} of byte ${at} (${target.name})`;
          outcomes[await outcomeOf(copy, use, place)]++;
        }
        return Object.entries(outcomes)
          .map(([outcome, count]) => `${count} ${outcome}`)
          .join(', ');
      }),
    );
  }

  /** Most pages are partly unused, where a flip changes nothing: nine of ten hit a byte that is not zero. */
  function byteOf({ offsets }: Pages, random: () => number): number {
    const page = pick(random, offsets);
    for (;;) {
      const at = page + Math.floor(random() * PAGE);
      if (bytes[at] !== 0 || random() < 0.01) return at;
    }
  }

  async function outcomeOf(file: Buffer, use: 'read' | 'written', place: string): Promise<Outcome> {
    for (const end of ['', '-wal', '-shm', '-writer']) rmSync(damaged + end, { force: true });
    writeFileSync(damaged, file);
    const url = `sqlite:${damaged}`;
    let answers: Answers;
    try {
      if (use === 'written') await withStore(url, write);
      answers = await withStore(url, answersOf);
    } catch (error) {
      assert.ok(error instanceof StoreError, `${place}: ${error instanceof Error ? error.stack : error}`);
      return 'refused';
    }
    let refused = false;
    for (const [name, answer] of Object.entries(answers)) {
      if (answer instanceof StoreError) refused = true;
      else if (!isDeepStrictEqual(answer, expected[use][name])) {
        assert.ok(await isFound(url), `${place}: ${name} is another, and verify finds nothing`);
        return 'found';
      }
    }
    return refused ? 'refused' : 'harmless';
  }
});

async function isFound(url: string): Promise<boolean> {
  const found = await withStore(url, store => store.checkIntegrity()).catch(error => error);
  if (found instanceof StoreError) return true;
  return (await run('verify', '--store', url)).code === 1;
}

function pagesOf(path: string): Pages[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT name, pgoffset FROM dbstat').all();
  db.close();
  const byName = Map.groupBy(rows, row => String(row['name']));
  assert.ok(byName.size > 15, 'all tables and indexes');
  return [...byName].map(([name, pages]) => ({ name, offsets: pages.map(page => Number(page['pgoffset'])) }));
}
