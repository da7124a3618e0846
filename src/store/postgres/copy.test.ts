import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { CopyReader, CopyWriter } from './copy.ts';

const number = fc.oneof(fc.double(), fc.constant(Number.NaN));
const row = fc.record(
  {
    asset: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    price: number,
    block: fc.option(fc.array(number, { minLength: 1, maxLength: 40 })),
    values: fc.array(number, { minLength: 3, maxLength: 3 }),
  },
  { noNullPrototype: true },
);

it('rows come back as they were written, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 5000 }), (rows, size) => {
      const writer = new CopyWriter();
      for (const { asset, price, block, values } of rows) {
        writer.row(6);
        writer.integer(asset);
        writer.double(price);
        writer.array(block && Float64Array.from(block));
        writer.doubles(Float64Array.from(values));
      }
      const bytes = Buffer.concat(writer.end());
      const found: unknown[] = [];
      const reader = new CopyReader();
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size), read => {
          const [asset, price, block] = [read.integer(), read.double(), read.array()];
          const values = new Float64Array(3);
          read.doubles(values);
          found.push({ asset, price, block: block && [...block], values: [...values] });
        });
      }
      assert.deepEqual(found, rows);
    }),
  );
});

it('more than one piece of bytes holds any number of rows', () => {
  const writer = new CopyWriter();
  const block = new Float64Array(200).fill(1.5);
  for (let i = 0; i < 1000; i++) {
    writer.row(2);
    writer.integer(i);
    writer.array(block);
  }
  const pieces = writer.end();
  assert.ok(pieces.length > 5);
  const reader = new CopyReader();
  let count = 0;
  for (const piece of pieces) {
    reader.push(piece, read => {
      assert.equal(read.integer(), count++);
      assert.deepEqual(read.array(), block);
    });
  }
  assert.equal(count, 1000);
});
