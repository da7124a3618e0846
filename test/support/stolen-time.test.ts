import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { leastDisturbed, QuietSeconds, stolenShare } from './stolen-time.ts';

/** A host that takes these shares of the cores, one per reading. */
function host(...shares: readonly number[]) {
  let [all, stolen, readings] = [0, 0, 0];
  return () => {
    const share = shares[readings++] ?? 0;
    [all, stolen] = [all + 100, stolen + 100 * share];
    return { all, stolen };
  };
}

test('times count only if they begin and end in a second in which the host took little', async () => {
  // The first reading is the beginning; the first second is disturbed, the second is not, and the rest is.
  const times = new QuietSeconds(0.02, host(0, 0.5, 0, 0.5));
  const disturbed = performance.now();
  times.add(disturbed, disturbed + 1);
  await wait(1200);
  const quiet = performance.now();
  times.add(quiet, quiet + 3);
  times.add(disturbed, quiet);
  await wait(1000);
  assert.equal(times.count, 1);
  const rest = performance.now();
  times.add(rest, rest + 1);
  const { millis, stolen } = times.end();
  assert.deepEqual([millis.map(Math.round), stolen], [[3], 0]);
});

test('without a quiet second all times count, and the disturbance is told', async () => {
  const times = new QuietSeconds(0.02, host(0, 0.25));
  const began = performance.now();
  await wait(5);
  times.add(began, began + 2);
  const { millis, stolen } = times.end();
  assert.deepEqual([times.count, millis.map(Math.round), stolen], [0, [2], 0.25]);
});

test('a short rest at the end does not count as a quiet second', async () => {
  let readings = 0;
  const read = host(0, 0.25, 0);
  const times = new QuietSeconds(0.02, () => {
    readings++;
    return read();
  });
  const began = performance.now();
  times.add(began, began + 2);
  while (readings < 2) await wait(10);
  const { millis } = times.end();
  assert.deepEqual([times.count, millis.map(Math.round)], [0, [2]]);
});

test('the share of the host is that of all cores', () => {
  assert.equal(stolenShare({ all: 100, stolen: 10 }, { all: 300, stolen: 60 }), 0.25);
  assert.equal(stolenShare({ all: 0, stolen: 0 }, { all: 0, stolen: 0 }), 0);
});

test('a measurement without disturbance is made once', async () => {
  let made = 0;
  const { found } = await leastDisturbed(() => ++made, { little: 2, timeoutMs: 0 });
  assert.deepEqual([found, made], [1, 1]);
});
