import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowNumbers } from '../columns/shared-memory.ts';
import { packTexts } from '../columns/texts.ts';
import { factIndexData, factTexts, ProfileIndex } from './profile-index.ts';

describe('rows by tag and type', () => {
  // More rows than a word of a bitmap has bits.
  const ROWS = 70;
  const tags = Array.from({ length: ROWS }, (_, i) => (i % 7 === 0 ? 'DeFi,meme,defi' : i % 5 === 0 ? 'meme' : null));
  const types = Array.from({ length: ROWS }, (_, i) => (i % 3 === 0 ? 'coin' : 'token'));
  const facts = factTexts(fact => packTexts(fact === 'tags' ? tags : types), rowNumbers(ROWS));
  const index = new ProfileIndex({ tag: factIndexData(facts.tag), type: factIndexData(facts.type) }, ROWS);
  const rows = Array.from({ length: ROWS }, (_, i) => i);
  /** Bit by bit. */
  const rowsIn = (words: Int32Array) =>
    rows.filter(row => Math.floor((words[Math.floor(row / 32)]! >>> 0) / 2 ** (row % 32)) % 2 === 1);

  it('has each value once, in upper case', () => {
    assert.deepEqual(index.values('tag').sort(), ['DEFI', 'MEME']);
    assert.deepEqual(index.values('type').sort(), ['COIN', 'TOKEN']);
  });

  for (const [wanted, isWanted] of [
    [['DEFI'], (row: number) => row % 7 === 0],
    [['MEME'], (row: number) => row % 7 === 0 || row % 5 === 0],
    [['DEFI', 'MEME'], (row: number) => row % 7 === 0 || row % 5 === 0],
    [['OTHER'], () => false],
  ] as const) {
    it(`finds the rows of ${wanted.join(' or ')}`, () => {
      assert.deepEqual(rowsIn(index.bitmap('tag', wanted)), rows.filter(isWanted));
    });
  }

  it('counts the rows of each value among those of a bitmap', () => {
    const counts = Object.fromEntries(index.counts('type', index.bitmap('tag', ['DEFI'])));
    assert.deepEqual(counts, { COIN: 4, TOKEN: 6 });
  });
});
