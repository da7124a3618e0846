import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleControls } from './visible-controls.ts';

const HOSTILE =
  '\x1b[2J\x1b]0;title\x07\x1b]52;c;Zm9v\x1b\\\r\b\x00\x7f\x9b31m\u0085\u2028\u2029\u202e\u2066\u200f\u061c';

test('no control character is left, and nothing that reorders text', () => {
  for (const character of visibleControls(HOSTILE)) {
    const code = character.codePointAt(0)!;
    assert.ok(code >= 0x20 && code < 0x7f, `U+${code.toString(16)} is left`);
  }
});

test('JSON means the same as before', () => {
  const document = { [HOSTILE]: [HOSTILE, 'Bücher 青叶 😀'] };
  for (const space of [0, 2]) {
    assert.deepEqual(JSON.parse(visibleControls(JSON.stringify(document, null, space))), document);
  }
});

test('lines, tabs and letters of every script stay', () => {
  const text = 'a\tb\nc Ж 青叶 हिम 👩‍👩‍👧 é';
  assert.equal(visibleControls(text), text);
});
