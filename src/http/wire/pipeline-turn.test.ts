import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { heldRequests } from '../../../test/support/held-requests.ts';
import { LongAnswers } from '../protection/long-answers.ts';
import { headOfLine } from './pipeline-turn.ts';
import { transmit } from './transmit.ts';

const LONG = 'x'.repeat(2 ** 18);

/** Responses to two questions that one client has sent at once. */
async function pipelined(t: TestContext): Promise<{ client: Socket; first: ServerResponse; second: ServerResponse }> {
  const { client, responses } = await heldRequests(t, 2);
  const [first, second] = responses;
  return { client, first: first!, second: second! };
}

function onePlace() {
  const longAnswers = new LongAnswers<ServerResponse>(
    () => '192.0.2.1',
    () => {},
    { most: 1 },
  );
  const answer = { status: 200, headers: '', body: [LONG] };
  return (response: ServerResponse) =>
    transmit(response, { answer, always: '', withBody: true, idleSeconds: 1, longAnswers });
}

describe('the head of a line', () => {
  it('is where the first response is, and the second when the first has ended', async t => {
    const { client, first, second } = await pipelined(t);
    client.resume();
    assert.equal(await headOfLine(first), true);
    let isNext: boolean | null = null;
    const waited = headOfLine(second).then(next => {
      isNext = next;
    });
    await turn();
    assert.equal(isNext, null);
    first.end('1');
    await waited;
    assert.equal(isNext, true);
    assert.notEqual(second.socket, null);
  });

  it('is never reached on a line that closes, or has closed', async t => {
    const { client, second } = await pipelined(t);
    const waited = headOfLine(second);
    client.destroy();
    assert.equal(await waited, false);
    assert.equal(await headOfLine(second), false);
  });

  it('is where long answers take their places', async t => {
    const send = onePlace();
    const { client, first, second } = await pipelined(t);
    client.resume();
    const later = send(second);
    assert.equal(await send(first), LONG.length);
    assert.equal(await later, LONG.length);
  });

  it('is waited for no longer than the line is open', async t => {
    const send = onePlace();
    const { client, second } = await pipelined(t);
    const later = send(second);
    client.destroy();
    assert.equal(await later, null);
  });
});
