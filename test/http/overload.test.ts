// More requests than there is time for: the late ones are refused at once, and who looks after the service is answered.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { TIERS } from '../../src/domain/tiers.ts';
import type { TestService } from '../support/service.ts';
import { ASSETS, LISTING, type Problem, startContractService } from './contract.ts';
import { NOW } from './market.ts';
import { Pipeline } from './raw-client.ts';

const SHED_AFTER = 40;
const EACH = 10;
let slow = false;
let authenticated = 0;
let service: TestService;

function work(millis: number): void {
  const ends = performance.now() + millis;
  while (performance.now() < ends);
}

before(async () => {
  service = await startContractService({
    shedAfterMs: SHED_AFTER,
    now: () => NOW,
    authenticate: () => {
      authenticated++;
      if (slow) work(EACH);
      return { tier: TIERS.free, key: null, headers: '' };
    },
  });
});
after(() => service.close());

/** Each on a connection of its own, all sent together. */
async function atOnce(paths: readonly string[]) {
  const pipelines = paths.map(() => new Pipeline(Number(new URL(service.url).port)));
  const get = async (pipeline: Pipeline, path: string) => {
    const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return pipeline.send([{ bytes, toHead: false }]);
  };
  try {
    // So that all are connected: the server accepts one connection per turn of its event loop.
    await Promise.all(pipelines.map(pipeline => get(pipeline, '/v1/nothing')));
    return (await Promise.all(paths.map((path, i) => get(pipelines[i]!, path)))).flat();
  } finally {
    for (const pipeline of pipelines) pipeline.close();
  }
}

describe('a service with more to do than it can', () => {
  it('answers the first requests, refuses the late ones for nothing, and always says how it is', async () => {
    slow = true;
    authenticated = 0;
    const paths = [...Array<string>(20).fill(LISTING), ASSETS, '/healthz', '/readyz', '/metrics'];
    const answers = await atOnce(paths);
    slow = false;
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses[0], 200);
    assert.deepEqual(statuses.slice(21), [200, 200, 200]);
    const refused = answers.filter(({ status }) => status === 503);
    // At most so many fit in before the first one is late, and one more that had begun.
    assert.ok(refused.length >= 21 - SHED_AFTER / EACH - 1, `${refused.length} were refused`);
    assert.equal(authenticated, 21 - refused.length, 'a refused request costs nothing of a limit');
    for (const { headers, body } of refused) {
      const problem: Problem = JSON.parse(body.toString());
      assert.deepEqual([problem.code, headers.get('retry-after')], ['overloaded', '1']);
    }
  });

  it('answers everything again as soon as it can', async () => {
    const ends = performance.now() + 10_000;
    for (;;) {
      const answers = await atOnce(Array<string>(20).fill(LISTING));
      if (answers.every(({ status }) => status === 200)) return;
      assert.ok(performance.now() < ends, 'it goes on refusing');
      await wait(50);
    }
  });
});
