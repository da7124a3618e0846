import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ERRORS } from '../../src/errors.ts';
import { load } from '../../src/ingest/pipeline.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import { Chance } from '../contract/query/chance.ts';
import { trial } from '../resilience/faults/findings.ts';
import { rounds } from '../resilience/faults/loading.ts';
import { ServerProcess } from '../support/server-process.ts';
import { ENVELOPE_FIELDS, type Problem } from './contract.ts';
import { type FuzzRequest, randomRequest } from './fuzz-requests.ts';
import { MARKET, marketSource, TODAY } from './market.ts';
import { Pipeline, type RawAnswer, sendAnything } from './raw-client.ts';

/** Batch i is made from SEED + i, so a batch that fails can be made again alone. */
const SEED = 4_852;
const BATCHES = rounds(100, 10);
const BATCH = 100;
/** Connections at once; the server runs in a process of its own. */
const CONNECTIONS = 4;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-fuzz-'));
let server: ServerProcess;
let port: number;

before(async () => {
  const url = `sqlite:${join(folder, 'store.db')}`;
  const store = await openStore(url);
  // Few rows: this is about questions, not about answers.
  const source = marketSource(MARKET.slice(0, 10));
  await load({ store, source, today: TODAY, signal: new AbortController().signal });
  // Else the first request for an optional column would be in the log.
  await addOptionalColumns(store);
  await store.close();
  server = await ServerProcess.start('--open', '--store', url);
  port = Number(new URL(server.url).port);
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('the service, asked anything', () => {
  it(`answers ${BATCHES * BATCH} random and mutated requests: never a 5xx, never silence, always HTTP`, t =>
    trial(t, { fault: `${BATCH} random and mutated requests`, rounds: BATCHES, checked: ['answers'] }, askAnything));
});

async function askAnything(): Promise<string> {
  const statuses = new Map<number, number>();
  let next = 0;
  const worker = async () => {
    const pipeline = new Pipeline(port);
    try {
      while (next < BATCHES) await runBatch(next++, pipeline, statuses);
    } finally {
      pipeline.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));

  const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(asked >= BATCHES * BATCH, `${asked} answers`);
  // The requests are worth their number only if they reach every kind of answer.
  for (const status of [200, 204, 304, 400, 404, 405, 409, 414, 431]) {
    assert.ok((statuses.get(status) ?? 0) > BATCHES / 30, `${statuses.get(status) ?? 0} answers were ${status}`);
  }
  assert.equal(server.stderr, '');
  assert.ok(server.running);
  return `${asked} answers`;
}

async function runBatch(number: number, pipeline: Pipeline, statuses: Map<number, number>): Promise<void> {
  const chance = new Chance(SEED + number);
  const requests = Array.from({ length: BATCH }, () => randomRequest(chance));
  const count = ({ status }: RawAnswer) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const orderly = requests.filter(({ hostile }) => !hostile);
  let about: Buffer | undefined;
  try {
    for (const [i, answer] of (await pipeline.send(orderly)).entries()) {
      about = orderly[i]!.bytes;
      count(answer);
      assertAnswer(answer);
      assertNamesParameter(orderly[i]!, answer);
    }
    for (const { bytes } of requests.filter(({ hostile }) => hostile)) {
      about = bytes;
      const answers = await sendAnything(port, bytes);
      assert.ok(answers.length > 0, 'there is no answer');
      for (const answer of answers) {
        count(answer);
        assertAnswer(answer);
      }
    }
  } catch (error) {
    const request = about === undefined ? 'before the first answer' : JSON.stringify(about.toString('latin1', 0, 2000));
    throw new Error(`batch ${number} (seed ${SEED + number}): ${error} after ${request}`);
  }
}

function assertAnswer({ status, headers, body }: RawAnswer): void {
  assert.ok(status >= 200 && status < 500, `the status is ${status}`);
  const type = headers.get('content-type') ?? '';
  if (body.length === 0 || headers.has('content-encoding') || !type.includes('json')) {
    assert.ok(status < 400 || body.length === 0, `an error without a problem body: ${type}`);
    return;
  }
  const value = JSON.parse(body.toString('utf8'));
  if (status < 400) {
    if ('result' in value) {
      assert.deepEqual(Object.keys(value), ENVELOPE_FIELDS);
      assert.equal(value.results_returned, value.result.length);
    }
    return;
  }
  assert.equal(type, 'application/problem+json; charset=utf-8');
  const { error, code, status: told, detail, request_id }: Problem = value;
  assert.ok(code in ERRORS && error && told === status && detail !== '' && request_id !== '', 'a member is missing');
  assert.ok(body.length < 3000, 'the problem repeats what was sent');
}

/** A 400 of the query names the parameter: the start of a pair that was sent. */
function assertNamesParameter({ target }: FuzzRequest, { status, body }: RawAnswer): void {
  if (status !== 400 || body.length === 0) return;
  const { code, param }: Problem = JSON.parse(body.toString('utf8'));
  // The one is about the path, the other about what was not sent.
  if (code === 'bad_path' || code === 'missing_parameter') return;
  const named = typeof param === 'string' ? param.replace(/…$/, '') : assert.fail(`no param: ${body}`);
  // A comparison may come as a name and a value, and is then named without the `=` between them.
  const wanted = named.replaceAll('=', '');
  const pairs = target.slice(target.indexOf('?') + 1).split('&');
  assert.ok(
    pairs.some(pair => readings(pair).some(text => text.replaceAll('=', '').startsWith(wanted))),
    `no parameter is called ${named}`,
  );
}

/** What a pair may be called: its name as it was sent, with `?` for what cannot be shown, or all of it decoded. */
function readings(pair: string): string[] {
  const [name, ...values] = pair.split('=');
  return [(name ?? '').replace(/[^\x21-\x7e]/g, '?'), [name, ...values].map(text => decoded(text ?? '')).join('')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
