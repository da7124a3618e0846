// When an answer is next on its line. A client may send many questions at once; whatever their answers are sent before those of
// earlier questions have ended, Node keeps. So a long answer is not begun, and takes no place, before its bytes can leave: it would
// keep a place from an earlier answer of the same line, and the two would wait for each other.

import type { ServerResponse } from 'node:http';
import { ServerResponse as NodeResponse } from './node-http.ts';

/** True when the answer is next; false when its line is closed before. */
export function headOfLine(response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return Promise.resolve(true);
  const { req } = response;
  if (req.socket.destroyed) return Promise.resolve(false);
  return new Promise(resolve => {
    // Node gives a response its socket when the one before has ended, and tells nobody: there is no event to wait for.
    response.assignSocket = socket => {
      NodeResponse.prototype.assignSocket.call(response, socket);
      resolve(true);
    };
    // Without a socket the response does not hear that the line closes. Its request does.
    req.once('close', () => resolve(false));
  });
}
