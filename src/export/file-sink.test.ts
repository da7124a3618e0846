import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FileSink } from './file-sink.ts';

const skip = process.platform !== 'linux' && 'only Linux has a device that is always full';

it('a full disk is an error that names the folder', { skip }, async () => {
  const sink = await FileSink.create('/dev/full');
  assert.throws(() => sink.write(Buffer.alloc(2 ** 16)), {
    message: 'no space is left in /dev',
    hint: 'free some space on that disk',
  });
  await sink.abandon();
});
