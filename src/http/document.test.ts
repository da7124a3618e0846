import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type AtTurn, finish } from '../common/steps.ts';
import { TIERS } from '../domain/tiers.ts';
import { documentHandler } from './document.ts';
import type { Answer } from './wire/answer.ts';
import { COMPRESS_FROM_BYTES } from './wire/encoding.ts';

const CONTENT = Buffer.from('a line of a document\n'.repeat(1000));
const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync, identity: (b: Buffer) => b };

function asked(headers: Readonly<Record<string, string>> = {}) {
  return {
    headers,
    socket: new Socket(),
    began: 0,
    rest: '',
    tier: TIERS.free,
    key: null,
    isHead: false,
    sign: null,
    body: Buffer.alloc(0),
    run: finish,
    slot: <T>(work: (atTurn: AtTurn) => Promise<T>) => work(read => read()),
    requester: { client: '192.0.2.1', isGone: () => false },
  };
}

function bytesOf({ body }: Answer): Buffer {
  assert.ok(Array.isArray(body) && body.length === 1 && Buffer.isBuffer(body[0]));
  return body[0];
}

describe('a document', () => {
  it('is made once, and compressed once per coding, however many clients ask', async () => {
    let made = 0;
    const handle = documentHandler({
      contentType: 'text/plain',
      body: () => {
        made++;
        return CONTENT;
      },
    });
    for (const [encoding, decode] of Object.entries(DECODE)) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => handle(asked({ 'accept-encoding': encoding }))),
      );
      const [first] = answers.map(bytesOf);
      for (const answer of answers) assert.equal(bytesOf(answer), first, 'it is the same memory');
      assert.deepEqual(decode(first!), CONTENT);
    }
    assert.equal(made, 1);
  });

  it('that could not be made is made for the next client', async () => {
    let calls = 0;
    const handle = documentHandler({
      contentType: 'text/plain',
      body: () => {
        if (calls++ === 0) throw new Error('EMFILE: too many open files');
        return CONTENT;
      },
    });
    await assert.rejects(async () => handle(asked()), /EMFILE/);
    assert.equal(bytesOf(await handle(asked())), CONTENT);
  });

  it('that changes is made again, and no client may keep it', async () => {
    let made = 0;
    const handle = documentHandler({
      contentType: 'text/plain',
      body: () => Buffer.from(String(++made)),
      remakeAfterMs: 0,
    });
    const first = await handle(asked());
    assert.match(first.headers, /cache-control: no-store/);
    assert.doesNotMatch(first.headers, /etag/);
    assert.equal(bytesOf(await handle(asked({ 'if-none-match': '*' }))).toString(), '2');
  });

  it('may be kept for a visit, or as long as it says, and varies by coding', async () => {
    const body = () => CONTENT;
    const usual = await documentHandler({ contentType: 'text/plain', body })(asked());
    assert.match(usual.headers, /cache-control: public, max-age=600\r\n/);
    assert.match(usual.headers, /vary: Accept-Encoding\r\n/);
    const immutable = documentHandler({ contentType: 'text/plain', body, cacheControl: 'public, immutable' });
    const long = await immutable(asked({ 'accept-encoding': 'br' }));
    assert.match(long.headers, /cache-control: public, immutable\r\n/);
    assert.match(long.headers, /content-encoding: br\r\n/);
    assert.match(long.headers, /content-type: text\/plain\r\n/);
  });

  it('is compressed from a number of bytes on', async () => {
    for (const [length, coded] of [
      [COMPRESS_FROM_BYTES - 1, false],
      [COMPRESS_FROM_BYTES, true],
    ] as const) {
      const handle = documentHandler({ contentType: 'text/plain', body: () => Buffer.alloc(length, 'a') });
      const { headers } = await handle(asked({ 'accept-encoding': 'gzip' }));
      assert.equal(headers.includes('content-encoding: gzip'), coded, `${length} bytes`);
    }
  });
});
