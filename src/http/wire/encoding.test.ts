import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from './answer.ts';
import { encoded } from './encoding.ts';

async function bodyOf(text: string, coding: string, name: string): Promise<Buffer> {
  const answer: Answer = { status: 200, headers: '', body: [text], compressAs: name };
  const { body } = await encoded(answer, coding);
  return (body as readonly Buffer[])[0]!; // compressed as a whole
}

describe('a compressed body', () => {
  const text = 'a row that repeats, '.repeat(100);

  for (const coding of ['br', 'zstd', 'gzip']) {
    it(`is kept in memory of its own size: ${coding}`, async () => {
      const body = await bodyOf(text, coding, 'one');
      assert.equal(body.buffer.byteLength, body.length);
    });

    it(`is shared by answers of one name, at the same time or later: ${coding}`, async () => {
      const [first, second] = await Promise.all([bodyOf(text, coding, 'two'), bodyOf(text, coding, 'two')]);
      assert.equal(second, first);
      assert.equal(await bodyOf(text, coding, 'two'), first);
      assert.notEqual(await bodyOf(text, coding, 'three'), first);
    });
  }
});
