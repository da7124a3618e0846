import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Guesses } from './guesses.ts';

describe('guessing keys', () => {
  it('is heard twenty times at once, and then once a second', () => {
    const guesses = new Guesses();
    for (let i = 0; i < 20; i++) {
      assert.equal(guesses.wait('a', 0), 0);
      guesses.failed('a', 0);
    }
    assert.equal(guesses.wait('a', 0), 1000);
    assert.equal(guesses.wait('a', 400), 600);
    assert.equal(guesses.wait('a', 1000), 0);
    guesses.failed('a', 1000);
    assert.equal(guesses.wait('a', 1000), 1000);
  });

  it('from one address does not slow another', () => {
    const guesses = new Guesses();
    for (let i = 0; i < 50; i++) guesses.failed('a', 0);
    assert.equal(guesses.wait('b', 0), 0);
  });

  it('from very many addresses is forgotten, oldest first, instead of filling the memory', () => {
    const guesses = new Guesses();
    for (let i = 0; i < 50; i++) guesses.failed('first', 0);
    for (let i = 0; i < 10_000; i++) guesses.failed(`address ${i}`, 0);
    assert.equal(guesses.wait('first', 0), 0);
  });
});
