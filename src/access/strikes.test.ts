import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Strikes } from './strikes.ts';

/** How many of `count` strikes at one moment are within the allowance. */
function heard(strikes: Strikes, name: string, now: number, count: number): number {
  return Array.from({ length: count }, () => strikes.strike(name, now)).filter(wait => wait === 0).length;
}

describe('refusals', () => {
  it('are within the allowance twenty times at once, and then once a second', () => {
    const strikes = new Strikes();
    assert.equal(heard(strikes, 'a', 0, 50), 20);
    assert.equal(strikes.strike('a', 0), 1000);
    assert.equal(strikes.strike('a', 400), 600);
    assert.equal(heard(strikes, 'a', 1000, 50), 1);
    assert.equal(heard(strikes, 'a', 6000, 50), 5);
  });

  it('of one name do not slow another', () => {
    const strikes = new Strikes();
    heard(strikes, 'a', 0, 50);
    assert.equal(heard(strikes, 'b', 0, 50), 20);
  });

  it('are counted together by all threads', () => {
    const strikes = new Strikes();
    const elsewhere = new Strikes(strikes.buffer);
    assert.equal(heard(strikes, 'a', 0, 12) + heard(elsewhere, 'a', 0, 12), 20);
  });

  it('of very many names take no more memory', () => {
    const strikes = new Strikes();
    const { byteLength } = strikes.buffer;
    for (let i = 0; i < 100_000; i++) strikes.strike(`address ${i}`, 0);
    assert.equal(strikes.buffer.byteLength, byteLength);
  });
});
