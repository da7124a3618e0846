// A time limit for a result.

import { coded } from './socket.ts';

/** Fails with ETIMEDOUT after so long: a machine that hangs, or was switched off, leaves its connections open and never answers. */
export function inTime<T>(millis: number, answer: Promise<T>, onLate = (_: Error) => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      const late = coded('ETIMEDOUT', `no answer for ${millis / 1000} s`);
      reject(late);
      onLate(late);
    };
    const timer = setTimeout(giveUp, millis);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
