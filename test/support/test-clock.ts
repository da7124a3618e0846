// A clock for schedules, of which the time passes only when a test says so.

import type { Clock } from '../../src/serve/schedule.ts';

export class TestClock implements Clock {
  time = 0;
  #waiting: { at: number; callback: () => void }[] = [];
  now = () => this.time;
  after = (millis: number, callback: () => void) => {
    const entry = { at: this.time + millis, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter(other => other !== entry);
    };
  };

  /** Milliseconds until the next call; null if none is planned. */
  get next(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at)) - this.time;
  }

  async pass(millis: number): Promise<void> {
    this.time += millis;
    const due = this.#waiting.filter(entry => entry.at <= this.time);
    this.#waiting = this.#waiting.filter(entry => entry.at > this.time);
    for (const entry of due) entry.callback();
    await new Promise(resolve => setImmediate(resolve));
  }
}
