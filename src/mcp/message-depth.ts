// How deeply the JSON text of a message is nested. No call needs more than a few levels, and what reads a value by recursion, as
// `JSON.stringify` does, fails for thousands.

/** A call of a tool has five: the message, its parameters, the arguments, a list, and what the client adds in `_meta`. */
const MAX_DEPTH = 32;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([...'[{'].map(character => character.charCodeAt(0)));
const CLOSING = new Set([...']}'].map(character => character.charCodeAt(0)));

/** `body` need not be valid JSON. */
export function isTooDeep(body: Uint8Array): boolean {
  let [depth, isText] = [0, false];
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!;
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) {
      if (++depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}
