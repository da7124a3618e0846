import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainTable, randomMarket, uniform } from '../../../test/support/market.ts';
import { buildSnapshot } from './build.ts';
import { type KeptSnapshot, keptPieces, NotKept, readKept } from './kept-snapshot.ts';

const STORE = 'abc123';

function kept(size: number, seed: number): KeptSnapshot {
  const { assets, rows, now } = randomMarket(size, uniform(seed));
  const snapshot = buildSnapshot({ version: 7, assets, rows, now });
  return { store: STORE, snapshot, confirmedAt: 1_700_000_000_123 };
}

function bytesOf(what: KeptSnapshot): Buffer {
  return Buffer.concat(keptPieces(what));
}

function refusal(bytes: Buffer, store = STORE): string {
  try {
    readKept(bytes, store);
  } catch (error) {
    if (error instanceof NotKept) return error.message;
    throw error;
  }
  return assert.fail('it was read');
}

describe('a kept snapshot', () => {
  for (const size of [0, 1, 60]) {
    it(`of ${size} assets reads back with the same rows, orders and indexes`, () => {
      const before = kept(size, size);
      const after = readKept(bytesOf(before), STORE);
      assert.equal(after.confirmedAt, before.confirmedAt);
      const [old, read] = [before.snapshot, after.snapshot];
      assert.deepEqual([read.version, read.fingerprint, read.builtAt], [old.version, old.fingerprint, old.builtAt]);
      for (const name of ['ta-cur', 'assets'] as const) {
        assert.deepEqual(plainTable(read.tables[name]), plainTable(old.tables[name]));
        assert.deepEqual(read.tables[name].descriptor, old.tables[name].descriptor);
      }
      for (const { id, symbol } of plainTable(old.tables.assets)) {
        assert.deepEqual(read.assetIndex.byId(String(id)), old.assetIndex.byId(String(id)));
        assert.deepEqual(read.assetIndex.bySymbol(String(symbol)), old.assetIndex.bySymbol(String(symbol)));
      }
    });
  }

  it('is refused when any one byte differs, but for the time that is renewed in place', () => {
    const bytes = bytesOf(kept(5, 1));
    for (let at = 24; at < bytes.length; at += 1 + (at % 7)) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      assert.equal(refusal(damaged), 'is damaged', `byte ${at}`);
    }
    const renewed = Buffer.from(bytes);
    renewed.writeDoubleLE(1_800_000_000_000, 16);
    assert.equal(readKept(renewed, STORE).confirmedAt, 1_800_000_000_000);
  });

  it('is refused when its end is missing', () => {
    const bytes = bytesOf(kept(5, 1));
    for (const length of [bytes.length - 1, bytes.length - 40, 100, 24]) {
      assert.equal(refusal(bytes.subarray(0, length)), 'is damaged');
    }
  });

  it('is refused for another store, another layout, and when it is something else', () => {
    const bytes = bytesOf(kept(5, 1));
    assert.equal(refusal(bytes, 'other'), 'is of another store');
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(bytes.readUInt32LE(8) + 1, 8);
    assert.equal(refusal(newer), 'was written by another version of Tidemark');
    for (const other of [Buffer.alloc(0), Buffer.from('short'), Buffer.from('SQLite format 3\0'.repeat(20))]) {
      assert.equal(refusal(other), 'is not a kept snapshot');
    }
  });
});
