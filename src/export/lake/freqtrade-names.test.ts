import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assetsWithFile } from './freqtrade-names.ts';

/** Number, id, ticker, rank, latest day, delisted. */
type Row = readonly [
  assetNumber: number,
  id: string,
  symbol: string,
  rank: number | null,
  lastDay: number,
  delisted?: true,
];

function chosen(...rows: readonly Row[]): string[] {
  const assets = rows.map(([assetNumber, id, symbol, , lastDay]) => ({ assetNumber, id, symbol, lastDay }));
  const facts = new Map(rows.map(([number, id, , rank, , delisted = false]) => [number, { id, rank, delisted }]));
  return assetsWithFile(assets, facts, 'USDT').map(({ id }) => id);
}

describe('assets with a file in the layout of freqtrade', () => {
  for (const [title, rows, ids] of [
    [
      'all, if their tickers differ',
      [
        [1, 'a-a', 'A', 2, 100],
        [2, 'b-b', 'B', 1, 100],
      ],
      ['a-a', 'b-b'],
    ],
    [
      'the best-ranked of a ticker',
      [
        [1, 'a-one', 'A', 2, 100],
        [2, 'a-two', 'A', 1, 100],
      ],
      ['a-two'],
    ],
    [
      'tickers in another case are the same',
      [
        [1, 'a-one', 'A', 1, 100],
        [2, 'a-two', 'a', 2, 100],
      ],
      ['a-one'],
    ],
    [
      'the active one of a ticker',
      [
        [1, 'a-old', 'A', 1, 92],
        [2, 'a-new', 'A', 9, 100],
      ],
      ['a-new'],
    ],
    [
      'a delisted one last',
      [
        [1, 'a-gone', 'A', 1, 100, true],
        [2, 'a-new', 'A', 9, 100],
      ],
      ['a-new'],
    ],
    [
      'inactive ones, unless another asset has the ticker',
      [
        [1, 'a-old', 'A', 1, 5],
        [2, 'b-b', 'B', 9, 100],
      ],
      ['a-old', 'b-b'],
    ],
    [
      'ranked before unranked',
      [
        [1, 'a-one', 'A', null, 100],
        [2, 'a-two', 'A', 5, 100],
      ],
      ['a-two'],
    ],
    ['not the stake currency', [[1, 'usdt-tether', 'usdt', 1, 100]], []],
    [
      'no ticker that freqtrade cannot name',
      [
        [1, 'a', 'A_B', 1, 1],
        [2, 'b', 'A.B', 1, 1],
        [3, 'c', '$A', 1, 1],
        [4, 'd', 'A/B', 1, 1],
      ],
      [],
    ],
  ] as const satisfies readonly (readonly [string, readonly Row[], readonly string[]])[]) {
    it(title, () => assert.deepEqual(chosen(...rows), ids));
  }
});
