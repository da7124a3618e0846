import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asset, NOW, row, uniform } from '../../test/support/market.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import { CSV_PAGE } from './csv.ts';
import { JSON_PAGE } from './json.ts';
import { RenderedRows } from './rendered-rows.ts';
import { RowWriter } from './row-format.ts';

describe('rendered rows', () => {
  const assets = Array.from({ length: 1500 }, (_, i) => asset({ assetNumber: i + 1 }));
  const { 'ta-cur': listing } = buildSnapshot({
    version: 1,
    assets,
    rows: assets.map(({ assetNumber }) => row(assetNumber)),
    now: NOW,
  }).tables;

  for (const maxBytes of [0, 600_000, 10_000_000]) {
    it(`are right whether kept or forgotten, with ${maxBytes} bytes to keep them in`, () => {
      const rendered = new RenderedRows(listing, JSON_PAGE.rows, maxBytes);
      const writer = new RowWriter(listing, JSON_PAGE.rows);
      const random = uniform(2);
      for (let i = 0; i < 6000; i++) {
        const at = Math.floor(random() * (i % 2 === 0 ? 20 : listing.rows));
        rendered.find(at, i % 3 > 0);
        const { segment, start, length, ends } = rendered;
        const expected = writer.write(at);
        const cells = listing.columns.length;
        assert.deepEqual(
          segment.bytes.subarray(start, start + length),
          expected.segment.bytes.subarray(4 * cells, expected.size),
        );
        assert.deepEqual(segment.words.subarray(ends, ends + cells), expected.segment.words.subarray(0, cells));
      }
    });
  }

  it('are right after they were forgotten and others have their memory', () => {
    const [one, other] = [JSON_PAGE.rows, CSV_PAGE.rows].map(format => {
      const [rendered, writer] = [new RenderedRows(listing, format, 10_000_000), new RowWriter(listing, format)];
      const found = (at: number) => {
        rendered.find(at);
        const { segment, start, length } = rendered;
        const expected = writer.write(at);
        const cells = segment.bytes.subarray(start, start + length);
        assert.deepEqual(cells, expected.segment.bytes.subarray(4 * listing.columns.length, expected.size));
        return segment.bytes.buffer;
      };
      return { rendered, found };
    }) as [Subject, Subject];
    const memory = one.found(1);
    one.rendered.forget();
    assert.equal(other.found(1), memory);
    assert.notEqual(one.found(1), memory);
    other.rendered.forget();
    for (let row = 0; row < 600; row++) one.found(row);
    other.found(2);
    for (let row = 0; row < 600; row++) one.found(row);
  });
});

interface Subject {
  readonly rendered: RenderedRows;
  /** Finds a row, compares it with one that was never kept, and returns the memory that it is in. */
  readonly found: (row: number) => ArrayBufferLike;
}
