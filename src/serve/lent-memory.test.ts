import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectGarbage } from './collect-garbage.ts';
import { LentMemory } from './lent-memory.ts';

describe('memory that several threads share', () => {
  it('counts until every thread has freed it', () => {
    const memory = new LentMemory(() => {});
    const [one, other, content] = [{}, {}, { values: new Float64Array(new SharedArrayBuffer(800)) }];
    memory.add(1, 800, content);
    memory.lend(1, one);
    memory.lend(1, other);
    memory.freed(1, one);
    memory.freed(1, one);
    assert.equal(memory.bytes, 800);
    memory.ended(other);
    assert.equal(memory.bytes, 800, 'this thread still holds it');
    assert.ok(content.values.length > 0);
  });

  it('is free once this thread has collected it, and not before', async () => {
    const memory = new LentMemory(() => void collectGarbage());
    const held = [new Float64Array(new SharedArrayBuffer(8000)), new Int32Array(new SharedArrayBuffer(80))];
    memory.add(1, 8080, [...held]);
    held.pop();
    assert.equal(await memory.shrinkTo(100), false, 'a part of it is in use');
    assert.equal(memory.bytes, 8080);
    held.pop();
    assert.equal(await memory.shrinkTo(100), true);
    assert.equal(memory.bytes, 0);
  });

  it('is collected once for all who need it at the same time', async () => {
    let collections = 0;
    const collected = Promise.withResolvers<void>();
    const memory = new LentMemory(() => {
      collections++;
      return collected.promise;
    });
    const content = [new Float64Array(new SharedArrayBuffer(800))];
    memory.add(1, 800, content);
    memory.lend(1, memory);
    const waiting = [memory.shrinkTo(100), memory.shrinkTo(200)];
    assert.equal(collections, 1);
    memory.ended(memory);
    content.pop();
    collectGarbage();
    collected.resolve();
    assert.deepEqual(await Promise.all(waiting), [true, true]);
    assert.equal(collections, 1);
  });
});
