import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SharedLimits } from '../../src/access/shared-limits.ts';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { TIERS, type Tier } from '../../src/domain/tiers.ts';
import type { LimitedWorkerData } from '../support/limited-worker.ts';

const THREADS = 2;
const CONNECTIONS = 64;
/** The burst outlasts a stall of the machine of more than a second: a bucket that is full cannot take what grows back. */
const TIER: Tier = { ...TIERS.pro, rate: 100, burst: 50, quota: 1_000_000 };
const MILLIS = 3000;

const workers: Worker[] = [];
after(() => Promise.all(workers.map(worker => worker.terminate())));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise(resolve => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : assert.fail('no port');
}

async function startThreads(key: string): Promise<{ port: number; limits: SharedLimits }> {
  const [port, limits] = [await freePort(), new SharedLimits()];
  const workerData: LimitedWorkerData = { buffer: limits.buffer, port, hash: hashOf(key), tier: TIER };
  for (let i = 0; i < THREADS; i++) {
    const worker = new Worker(join(import.meta.dirname, '../support/limited-worker.ts'), { workerData });
    workers.push(worker);
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  }
  return { port, limits };
}

describe(`${THREADS} server threads and ${CONNECTIONS} connections`, () => {
  it('never let in more than burst and refill, and fall short of it by less than 1 %', async () => {
    const key = newApiKey();
    const { port, limits } = await startThreads(key);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        const request = get({ port, agent, path: '/v1/crypto/ta-cur', headers: { 'x-api-key': key } }, answer => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        });
        request.on('error', reject);
      });

    let [accepted, refused] = [0, 0];
    let [firstRefusal, lastAsked] = [Number.POSITIVE_INFINITY, 0];
    const began = performance.now();
    const client = async () => {
      while (performance.now() - began < MILLIS) {
        lastAsked = performance.now();
        const status = await ask();
        if (status !== 429) accepted++;
        else {
          firstRefusal = Math.min(firstRefusal, performance.now());
          refused++;
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    const ended = performance.now();
    agent.destroy();

    const most = TIER.burst + (TIER.rate * (ended - began)) / 1000;
    // The bucket is empty at the first refusal, and from then on takes in all that grows back.
    const least = 0.99 * (TIER.burst + (TIER.rate * (lastAsked - firstRefusal)) / 1000);
    assert.ok(refused > 100, `the load was above the limit: ${refused} refused`);
    assert.ok(accepted <= most, `${accepted} accepted, at most ${most}`);
    assert.ok(accepted >= least, `${accepted} accepted, at least ${least}`);
    assert.equal(limits.use(0).accepted, accepted);
    assert.equal(limits.use(0).refused, refused);
  });
});
