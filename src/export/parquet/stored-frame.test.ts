import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { storedFrame } from './stored-frame.ts';

describe('a ZSTD frame of stored blocks', () => {
  for (const size of [0, 1, 255, 256, 131_071, 131_072, 131_073, 262_144, 1_000_003]) {
    it(`is decompressed to its ${size} bytes`, () => {
      const content = randomBytes(size);
      const frame = Buffer.concat(storedFrame(content));
      assert.deepEqual(zstdDecompressSync(frame), content);
      assert.ok(frame.length <= size + 9 + 3 * Math.max(1, Math.ceil(size / 131_072)));
    });
  }
});
