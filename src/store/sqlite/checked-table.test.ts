import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { blobOf, type Cell, CheckedTable, numbersOf } from './checked-table.ts';
import { ChecksumMismatch } from './checksum-mismatch.ts';
import { Connection } from './connection.ts';
import { CREATE } from './layout.ts';

const VALUES = [Math.PI, 0, -0, 1.5, Number.NaN, Number.MAX_VALUE, 5e-324, Number.NEGATIVE_INFINITY];

function database(): { db: DatabaseSync; connection: Connection } {
  const db = new DatabaseSync(':memory:');
  db.exec(CREATE);
  return { db, connection: new Connection(db, ':memory:') };
}

describe('a row with a checksum', () => {
  for (const values of [[], [42], VALUES]) {
    it(`holds the ${values.length} numbers that were written`, () => {
      const table = new CheckedTable<[number, Uint8Array<ArrayBuffer>]>(database().connection, 'tiles');
      table.put([7, blobOf(Float64Array.from(values))]);
      const [place, blob] = table.select('').get()!;
      assert.deepEqual([place, ...numbersOf(blob)], [7, ...values]);
    });
  }

  it('is read back as it was written, many at once too', () => {
    const table = new CheckedTable<Cell[]>(database().connection, 'assets');
    const rows = Array.from({ length: 250 }, (_, i) => [
      i,
      `id-${i}`,
      'S',
      'Näme 🌊',
      i % 2 ? null : i,
      null,
      i / 3,
      'a,b',
      0,
      1,
      5,
    ]);
    table.putAll(rows);
    assert.deepEqual(table.select('ORDER BY number').all(), rows);
    assert.deepEqual([...table.select('ORDER BY number').each()], rows);
  });

  it('is refused when any bit of a blob has changed', () => {
    const { db, connection } = database();
    const table = new CheckedTable<Cell[]>(connection, 'tiles');
    const bytes = blobOf(Float64Array.from(VALUES));
    table.put([1, bytes]);
    const change = db.prepare('UPDATE tiles SET numbers = ?');
    const row = table.select('');
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      change.run(bytes);
      assert.throws(() => row.get(), ChecksumMismatch, `bit ${bit}`);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    change.run(bytes);
    assert.ok(row.get());
  });

  for (const [what, change] of [
    ['text has changed', "symbol = 'T'"],
    ['number has changed', 'rank = 2'],
    ['number is missing', 'rank = NULL'],
    ['text became empty where there was none', "type = ''"],
    ['number has changed its row', 'number = 2'],
    ['checksum has changed', 'checksum = checksum + 1'],
  ]) {
    it(`is refused when a ${what}`, () => {
      const { db, connection } = database();
      const table = new CheckedTable<Cell[]>(connection, 'assets');
      table.put([1, 'id', 'S', 'name', 1, null, null, '', 0, 0, 5]);
      db.exec(`UPDATE assets SET ${change}`);
      assert.throws(() => table.select('').all(), ChecksumMismatch);
    });
  }

  it('is refused in another table of the same form', () => {
    const { db, connection } = database();
    new CheckedTable<Cell[]>(connection, 'coverage').put([1, Uint8Array.of(1, 2, 3)]);
    db.exec('INSERT INTO tiles SELECT * FROM coverage');
    assert.throws(() => new CheckedTable<Cell[]>(connection, 'tiles').select('').get(), ChecksumMismatch);
  });
});
