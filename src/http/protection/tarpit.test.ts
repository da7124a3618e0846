import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { proceed, type Waits } from '../../common/waits.ts';
import { CLIENT_GONE } from './scheduler-client.ts';
import { holdBack } from './tarpit.ts';

/** What became of a refusal that is held back: null while it waits. */
function held(socket: Socket, millis: number): { count: number; outcome: unknown } {
  const state = { count: 0, outcome: null as unknown };
  function* refuse(): Waits<void> {
    try {
      yield* holdBack(socket, millis, change => {
        state.count += change;
      });
      state.outcome = 'sent';
    } catch (error) {
      state.outcome = error;
    }
  }
  proceed(refuse());
  return state;
}

describe('a refusal that is held back', () => {
  it('is sent after the wait, and not before', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const state = held(new Socket(), 30);
    t.mock.timers.tick(29);
    assert.deepEqual(state, { count: 1, outcome: null });
    t.mock.timers.tick(1);
    assert.deepEqual(state, { count: 0, outcome: 'sent' });
  });

  it('learns that the client has gone meanwhile', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const socket = new Socket();
    const state = held(socket, 10);
    socket.destroy();
    t.mock.timers.tick(10);
    assert.deepEqual(state, { count: 0, outcome: CLIENT_GONE });
  });
});
