import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isoFromDay } from '../../src/domain/day.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { type Answer, ask } from '../support/service.ts';
import { assertProblem, type Envelope, LISTING } from './contract.ts';
import { TODAY } from './market.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-new-data-'));
const file = join(folder, 'closes.csv');
const store = `sqlite:${join(folder, 'store.db')}`;
const day = isoFromDay(TODAY);
/** SPEC 10, in milliseconds. */
const PROMISED = 2000;

let server: ServerProcess;
before(async () => {
  server = await ServerProcess.start('--open', '--store', store);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Asks until the answer is as wanted, for as long as was promised. */
async function within(path: string, wanted: (answer: Answer) => boolean): Promise<Answer> {
  const ends = performance.now() + PROMISED;
  for (;;) {
    const answer = await ask(server.url, path);
    if (wanted(answer)) return answer;
    if (performance.now() > ends) assert.fail(`after ${PROMISED} ms still ${answer.text.slice(0, 200)}`);
    await setTimeout(20);
  }
}

const ingest = (lines: readonly string[]) => {
  writeFileSync(file, `symbol,day,close\n${lines.join('\n')}\n`);
  return tidemark('ingest', 'csv', file, '--store', store);
};

describe('SPEC 10: a server and a load on the same store, two processes', () => {
  it('the server starts without data, answers 503 and says how to load some', async () => {
    const problem = assertProblem(await ask(server.url, LISTING), 503, 'no_data');
    assert.match(problem.detail, /tidemark ingest csv/);
    const ready = await ask(server.url, '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.text, /tidemark ingest csv/);
  });

  it('shows the first data within 2 s of the end of the load', async () => {
    await ingest([`AAA,${day},5`, `BBB,${day},6`]);
    const answer = await within(`${LISTING}?sort=symbol&order=asc`, ({ status }) => status === 200);
    assert.deepEqual(
      answer.json<Envelope>().result.map(({ symbol, price }) => [symbol, price]),
      [
        ['AAA', 5],
        ['BBB', 6],
      ],
    );
    assert.equal((await ask(server.url, '/readyz')).status, 200);
  });

  it('shows new rows and corrected numbers within 2 s, and its ETag changes', async () => {
    const { headers } = await ask(server.url, LISTING);
    const explained = async () =>
      (await ask(server.url, '/v1/crypto/explain/AAA/price')).json<{ value: number }>().value;
    assert.equal(await explained(), 5);
    await ingest([`AAA,${day},7`, `CCC,${day},8`]);
    const answer = await within(`${LISTING}?sort=symbol&order=asc`, ({ text }) => text.includes('"CCC"'));
    assert.deepEqual(
      answer.json<Envelope>().result.map(({ symbol, price }) => [symbol, price]),
      [
        ['AAA', 7],
        ['BBB', 6],
        ['CCC', 8],
      ],
    );
    await within('/v1/crypto/explain/AAA/price', ({ text }) => text.includes('"value":7,'));
    const etag = String(headers.etag);
    assert.equal((await ask(server.url, LISTING, { headers: { 'if-none-match': etag } })).status, 200);
  });

  it('another close is in the closes, which are cached until then', async () => {
    const closesOf = async (wanted: number) => {
      const path = '/v1/crypto/closes?symbol=CACHED';
      const isShown = ({ text }: Answer) => text.includes(`"closes":[${wanted}]`);
      await within(path, isShown);
      assert.ok(isShown(await ask(server.url, path)));
    };
    for (const close of [7, 8]) {
      await ingest([`CACHED,${day},${close}`]);
      await closesOf(close);
    }
  });

  it('stops in order when it is told to', async () => {
    assert.equal(await server.stop(), 0);
    assert.match(server.stderr, /^(?:now serving version \d+: \d+ assets, built in \d+ ms\n)*$/);
  });
});
