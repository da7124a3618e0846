import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ReadConnection, SlowReaders } from './slow-readers.ts';

const LIMITS = { stalledMs: 30_000, slowestBytesPerSecond: 2000 };
const PIECE = 64_000;

/** A connection that is looked at several times per second, and told before what is put on it and what of it is taken. */
class Watched implements ReadConnection {
  readonly #readers = new SlowReaders(LIMITS);
  #now = 0;
  writableLength = 0;
  bytesWritten = 0;
  end = 'open';

  constructor() {
    this.#readers.add(this);
  }

  resetAndDestroy(): void {
    this.end = 'reset';
  }

  destroy(): void {
    if (this.end === 'open') this.end = 'closed';
  }

  put(bytes: number): this {
    this.bytesWritten += bytes;
    this.writableLength += bytes;
    return this;
  }

  take(bytes: number): this {
    this.writableLength -= bytes;
    return this;
  }

  wait(seconds: number): this {
    for (const ends = this.#now + seconds * 1000; this.#now < ends; this.#now += 100) this.#readers.check(this.#now);
    return this;
  }
}

describe('a connection', () => {
  it('that nothing is sent on is left alone', () => {
    assert.equal(new Watched().wait(1000).end, 'open');
  });

  it('whose reader takes each piece in time is left alone, however long it takes', () => {
    const connection = new Watched();
    for (let i = 0; i < 100; i++) connection.put(PIECE).wait(30).take(PIECE);
    assert.equal(connection.wait(100).end, 'open');
  });

  it('whose reader takes nothing is reset', () => {
    assert.equal(new Watched().put(PIECE).wait(35).end, 'reset');
  });

  it('has more time for more', () => {
    const connection = new Watched().put(10 * PIECE).wait(300);
    assert.equal(connection.end, 'open');
    assert.equal(connection.wait(30).end, 'reset');
  });

  it('whose reader has taken a piece has time again for the next', () => {
    const connection = new Watched().put(PIECE).wait(25).take(PIECE).put(PIECE).wait(25);
    assert.equal(connection.end, 'open');
    assert.equal(connection.wait(10).end, 'reset');
  });

  it('whose reader was slow once and has taken everything is left alone', () => {
    assert.equal(new Watched().put(PIECE).wait(25).take(PIECE).wait(100).put(PIECE).wait(25).end, 'open');
  });
});

describe('many connections', () => {
  it('are looked at in parts, and all of them in time', () => {
    const readers = new SlowReaders(LIMITS);
    let looks = 0;
    const ended = new Set<number>();
    for (let i = 0; i < 1000; i++) {
      readers.add({
        bytesWritten: PIECE,
        get writableLength() {
          looks++;
          return PIECE;
        },
        resetAndDestroy: () => ended.add(i),
        destroy: () => undefined,
      });
    }
    let most = 0;
    for (let now = 0; now < 40_000; now += 100) {
      const before = looks;
      readers.check(now);
      if (ended.size === 0) most = Math.max(most, looks - before);
    }
    assert.equal(most, 100);
    assert.equal(ended.size, 1000);
  });
});
