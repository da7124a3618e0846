// The tarpit: refusals that are sent late. A client that is refused again and again is slowed down by it, at the cost of one
// timer: nothing more is read from its connection meanwhile.

import type { Socket } from 'node:net';
import { called, type Waits } from '../../common/waits.ts';
import { CLIENT_GONE } from './scheduler-client.ts';

/** Fails with `CLIENT_GONE` if the connection is closed by then. `onHeld`: one more or one fewer refusal waits. */
export function* holdBack(socket: Socket, millis: number, onHeld: (change: 1 | -1) => void): Waits<void> {
  onHeld(1);
  yield* called<void>(goOn => setTimeout(goOn, millis).unref());
  onHeld(-1);
  if (socket.destroyed) throw CLIENT_GONE;
}
