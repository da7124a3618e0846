import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChunkMemory } from './chunk-memory.ts';

describe('the memory of pieces', () => {
  it('is used again when a piece was given back, whichever part of it was filled', () => {
    const memory = new ChunkMemory(100, 2);
    const first = memory.take();
    assert.equal(first.length, 100);
    assert.notEqual(memory.take().buffer, first.buffer);
    memory.giveBack(first.subarray(0, 7));
    const again = memory.take();
    assert.equal(again.buffer, first.buffer);
    assert.equal(again.length, 100);
  });

  it('is never lent to two at once', () => {
    const memory = new ChunkMemory(100, 2);
    const piece = memory.take();
    memory.giveBack(piece);
    memory.giveBack(piece);
    const lent = [memory.take(), memory.take(), memory.take()];
    assert.equal(new Set(lent.map(({ buffer }) => buffer)).size, 3);
  });

  it('takes in nothing that is not of it', () => {
    const memory = new ChunkMemory(100, 2);
    const strange = Buffer.alloc(100);
    memory.giveBack(strange);
    memory.giveBack(Buffer.from('short'));
    assert.notEqual(memory.take().buffer, strange.buffer);
  });

  it('keeps no more than it was told to', () => {
    const memory = new ChunkMemory(100, 2);
    const pieces = [memory.take(), memory.take(), memory.take()];
    for (const piece of pieces) memory.giveBack(piece);
    const known = new Set(pieces.map(({ buffer }) => buffer));
    const reused = [memory.take(), memory.take(), memory.take()].filter(({ buffer }) => known.has(buffer));
    assert.equal(reused.length, 2);
  });
});
