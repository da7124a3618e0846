import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { table } from './terminal.ts';

describe('a table for people', () => {
  it('has columns as wide as their widest cell', () => {
    const text = table(
      ['id', '>n'],
      [
        ['a', '1'],
        ['long', '22'],
      ],
    );
    assert.equal(stripVTControlCharacters(text), 'id     n\na      1\nlong  22');
  });

  it('may have more rows than a call can have arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
    assert.ok(table(['n'], rows).endsWith('\n199999'));
  });
});
