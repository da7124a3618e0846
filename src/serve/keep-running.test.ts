import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../test/support/test-clock.ts';
import { keepRunning } from './keep-running.ts';

/** A process that the test ends. */
class TestProcess {
  readonly clock = new TestClock();
  random = 0;
  runs = 0;
  #end: (well: boolean) => void = () => {};
  readonly stop = keepRunning(
    () => {
      this.runs++;
      return new Promise(resolve => {
        this.#end = resolve;
      });
    },
    this.clock,
    () => this.random,
  );

  /** Ends it after this time; returns the pause before the next start, which has then begun. */
  async end(well: boolean, afterMs: number): Promise<number | null> {
    this.clock.time += afterMs;
    this.#end(well);
    await this.clock.pass(0);
    const pause = this.clock.next;
    const { runs } = this;
    if (pause !== null) {
      await this.clock.pass(pause - 1);
      assert.equal(this.runs, runs);
      await this.clock.pass(1);
      assert.equal(this.runs, runs + 1);
    }
    return pause;
  }
}

describe('a process that is kept running', () => {
  it('starts at once, and again after pauses that double up to five minutes while it fails', async () => {
    const kept = new TestProcess();
    assert.equal(kept.runs, 1);
    const pauses: (number | null)[] = [];
    for (let i = 0; i < 11; i++) pauses.push(await kept.end(false, 500));
    assert.deepEqual(
      pauses,
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map(seconds => seconds * 1000),
    );
  });

  it('has pauses that differ from server to server', async () => {
    const kept = new TestProcess();
    kept.random = 0.5;
    assert.equal(await kept.end(false, 0), 750);
    kept.random = 0.9;
    assert.equal(await kept.end(false, 0), 1100);
  });

  it('begins with a short pause again after a run of a minute', async () => {
    const kept = new TestProcess();
    for (let i = 0; i < 5; i++) await kept.end(false, 59_999);
    assert.equal(await kept.end(false, 59_999), 32_000);
    assert.equal(await kept.end(false, 60_000), 1000);
    assert.equal(await kept.end(false, 0), 2000);
  });

  it('asks every ten seconds while another process does the work', async () => {
    const kept = new TestProcess();
    for (let i = 0; i < 4; i++) await kept.end(false, 0);
    for (let i = 0; i < 3; i++) assert.equal(await kept.end(true, 100), 10_000);
    assert.equal(await kept.end(false, 0), 1000);
  });

  it('does not start again once it is stopped, while it runs and while it waits', async () => {
    const running = new TestProcess();
    const stopped = running.stop();
    assert.equal(await running.end(false, 0), null);
    await stopped;
    const waiting = new TestProcess();
    await waiting.end(false, 0);
    const { runs } = waiting;
    void waiting.end(false, 0);
    await waiting.stop();
    await waiting.clock.pass(1e9);
    assert.equal(waiting.runs, runs);
  });
});
