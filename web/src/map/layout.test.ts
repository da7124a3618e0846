import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layOut, neighbour } from './layout.ts';

const asset = (symbol: string, size: number) => ({ symbol, id: symbol, name: symbol, price: 1, size, colour: 1 });
const ASSETS = [asset('A', 60), asset('B', 20), asset('C', 12), asset('D', 8)];

describe('the layout of the map', () => {
  it('has one group without tags, and all of the box', () => {
    const [group, ...others] = layOut(ASSETS, new Map(), 400, 300);
    assert.equal(others.length, 0);
    assert.equal(group?.titled, false);
    const sum = group!.tiles.reduce((area, { width, height }) => area + width * height, 0);
    assert.ok(Math.abs(sum - 120_000) < 1e-6);
  });

  it('has a titled group per tag, the largest first, and one for the others', () => {
    const tags = new Map([
      ['A', 'old'],
      ['B', 'new'],
      ['D', 'new'],
    ]);
    const groups = layOut(ASSETS, tags, 800, 600);
    assert.deepEqual(
      groups.map(({ tag, titled, tiles }) => [tag, titled, tiles.map(tile => tile.asset.symbol).join('')]),
      [
        ['old', true, 'A'],
        ['new', true, 'BD'],
        [null, true, 'C'],
      ],
    );
    for (const { x, y, width, height, tiles } of groups) {
      for (const tile of tiles) {
        assert.ok(tile.x >= x && tile.y >= y + 18 && tile.x + tile.width <= x + width + 1e-6);
        assert.ok(tile.y + tile.height <= y + height + 1e-6);
      }
    }
  });

  it('leads from a tile to its neighbour and back, and stays at an edge', () => {
    const tiles = layOut(ASSETS, new Map(), 400, 300)[0]!.tiles;
    const [a] = tiles;
    const right = neighbour(tiles, a!, 1, 0);
    assert.notEqual(right, a);
    assert.ok(right.x >= a!.x + a!.width - 1e-6);
    assert.equal(neighbour(tiles, right, -1, 0), a);
    assert.equal(neighbour(tiles, a!, -1, 0), a);
  });
});
