import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Penalties } from './penalties.ts';

/** How many of `count` penalties at one moment are within the allowance. */
function heard(penalties: Penalties, name: string, now: number, count: number): number {
  return Array.from({ length: count }, () => penalties.penalize(name, now)).filter(wait => wait === 0).length;
}

describe('refusals', () => {
  it('are within the allowance twenty times at once, and then once a second', () => {
    const penalties = new Penalties();
    assert.equal(heard(penalties, 'a', 0, 50), 20);
    assert.equal(penalties.penalize('a', 0), 1000);
    assert.equal(penalties.penalize('a', 400), 600);
    assert.equal(heard(penalties, 'a', 1000, 50), 1);
    assert.equal(heard(penalties, 'a', 6000, 50), 5);
  });

  it('of one name do not slow another', () => {
    const penalties = new Penalties();
    heard(penalties, 'a', 0, 50);
    assert.equal(heard(penalties, 'b', 0, 50), 20);
  });

  it('are counted together by all threads', () => {
    const penalties = new Penalties();
    const elsewhere = new Penalties(penalties.buffer);
    assert.equal(heard(penalties, 'a', 0, 12) + heard(elsewhere, 'a', 0, 12), 20);
  });

  it('of very many names take no more memory', () => {
    const penalties = new Penalties();
    const { byteLength } = penalties.buffer;
    for (let i = 0; i < 100_000; i++) penalties.penalize(`address ${i}`, 0);
    assert.equal(penalties.buffer.byteLength, byteLength);
  });
});
