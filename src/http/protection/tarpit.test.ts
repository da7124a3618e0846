import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { holdBack } from './tarpit.ts';

describe('a refusal that is held back', () => {
  it('is sent after the wait, and not before', async () => {
    let isOpen: boolean | null = null;
    holdBack(new Socket(), 30, open => {
      isOpen = open;
    });
    await wait(5);
    assert.equal(isOpen, null);
    await wait(60);
    assert.equal(isOpen, true);
  });

  it('learns that the client has gone meanwhile', async () => {
    const socket = new Socket();
    let isOpen: boolean | null = null;
    holdBack(socket, 10, open => {
      isOpen = open;
    });
    socket.destroy();
    await wait(40);
    assert.equal(isOpen, false);
  });
});
