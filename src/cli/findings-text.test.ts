import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { findingsLine } from './findings-text.ts';

it('new findings are counted, with the command that lists them in the same store', () => {
  const line = (store: string) => stripVTControlCharacters(findingsLine({ gap: 2, spike: 1 }, store)!);
  assert.equal(line('sqlite:data/tidemark.db'), "3 new findings: 2 gap, 1 spike ('tidemark check' lists them)");
  assert.match(line('sqlite:other.db'), /\('tidemark check --store sqlite:other\.db' lists them\)$/);
  assert.equal(findingsLine({}, 'sqlite:other.db'), null);
});
