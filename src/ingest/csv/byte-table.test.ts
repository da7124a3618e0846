import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteTable } from './byte-table.ts';

test('thousands of texts keep their numbers, in any order, although the bytes they were read from change', () => {
  const table = new ByteTable();
  const shared = Buffer.alloc(16);
  const texts = Array.from({ length: 5000 }, (_, i) => `S${(i * 7919) % 5000}`);
  for (const [number, text] of texts.entries()) {
    const length = shared.write(text);
    assert.equal(table.find(shared, 0, length), -1);
    assert.equal(table.add(shared, 0, length), number);
  }
  for (let step = 0; step < texts.length; step++) {
    const number = (step * 31) % texts.length;
    const length = shared.write(texts[number]!);
    assert.equal(table.find(shared, 0, length), number);
  }
  assert.equal(table.size, 5000);
});

test('a text that is the start of another is another text', () => {
  const table = new ByteTable();
  const bytes = Buffer.from('BTCX');
  table.add(bytes, 0, 4);
  assert.equal(table.find(bytes, 0, 3), -1);
});
