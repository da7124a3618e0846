import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldForSearch, packTexts } from '../columns/texts.ts';
import { SearchIndex, searchIndexData } from './search-index.ts';

const ROWS = [
  ['btc-bitcoin', 'Bitcoin', 'BTC'],
  ['fwx-full-width', 'Ｆｕｌｌ Ｗｉｄｔｈ', 'FWX'],
  ['str-straße', 'Straße', 'STR'],
  ['bnb-币安', '币安', 'BNB'],
  ['sml-😀-coin', '😀 Coin', 'SML'],
  ['nul-a', 'a\0b', 'NUL'],
  ['aaa-aaaa', 'AAAA', 'AAA'],
  ['x', '', 'x'],
  ['fi-fine', `ﬁne ${'ﷺ'.repeat(40)}`, 'FI'],
  ['odd', 'c#2!~^', 'ODD'],
  // Each three letters of "coin" and "coined" in one text, but not where they would have to be, or only there the second time.
  ['coi-oin', 'coi oin coin', 'COI'],
  ['not-coined', 'coi xoin nedco', 'NOT'],
  // So far from the beginning that a byte cannot say where.
  ['far', `${'.'.repeat(252)}faraway`, 'FAR'],
  ['far-far', `${'.'.repeat(300)}fara raway`, 'FFA'],
] as const;

const columns = [0, 1, 2].map(column => packTexts(ROWS.map(row => row[column] ?? null)));
const index = new SearchIndex(searchIndexData(columns));
const everyRow = Uint32Array.from(ROWS.keys());

/** Every piece of every text, which all must be found, and some that are nowhere. */
const wanted = new Set([
  'zz',
  'q',
  'btcb',
  'coin-',
  'ab',
  'aaaaa',
  '#3',
  '!~',
  '币币',
  'no such thing',
  'coined',
  'faraway',
  'fawayra',
]);
for (const text of ROWS.flat().map(searchable)) {
  const letters = [...text];
  for (let from = 0; from < letters.length; from++) {
    for (let length = 1; length <= 12; length++) wanted.add(letters.slice(from, from + length).join(''));
  }
}

function searchable(text: string): string {
  return foldForSearch(text).replaceAll('\0', ' ');
}

function plainlyFound(text: string): number[] {
  return [...everyRow].filter(row => ROWS[row]!.some(cell => searchable(cell).includes(text)));
}

describe('the search index', () => {
  it('keeps exactly the rows that have the text in one of their own', () => {
    for (const text of wanted) {
      const rows = everyRow.slice();
      const end = index.keep(text, rows, 0, rows.length);
      assert.deepEqual([...rows.subarray(0, end)], plainlyFound(text), text);
    }
  });

  it('finds no fewer rows than have the text, none twice and none besides where it says so', () => {
    for (const text of wanted) {
      const { rows, distinct, exact } = index.find(text);
      const once = new Set(rows);
      const found = plainlyFound(text);
      assert.ok(
        found.every(row => once.has(row)),
        text,
      );
      if (distinct) assert.equal(once.size, rows.length, text);
      if (exact)
        assert.deepEqual(
          [...once].sort((a, b) => a - b),
          found,
          text,
        );
    }
  });

  it('lists exactly the rows that have a text of three bytes or more', () => {
    for (const text of wanted) {
      const { rows, distinct } = index.find(text);
      if (!distinct) continue;
      const list = new Uint32Array(rows.length);
      const count = index.list(text, list);
      assert.deepEqual([...list.subarray(0, count)], plainlyFound(text), text);
    }
  });

  it('knows when its lists need no further look', () => {
    assert.deepEqual(
      ['a', 'bi', 'btc', 'coin', '币', '#', 'c#2'].map(text => index.find(text).exact),
      [true, true, true, false, false, false, false],
    );
  });

  it('of nothing finds nothing', () => {
    const empty = new SearchIndex(searchIndexData([packTexts([])]));
    assert.equal(empty.find('btc').rows.length, 0);
    assert.equal(empty.list('btcb', new Uint32Array(0)), 0);
  });
});
