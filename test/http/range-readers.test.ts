// Readers of byte ranges while data is published: what each library was recorded to request, played by Node against a service that
// publishes between any two of its requests. No read has bytes of two publications.
//
// Recorded from Polars 2.1, fsspec 2026.9 with aiohttp (pandas and pyarrow use it), and DuckDB 1.5 with httpfs, each of which asks the
// address that it was given, and not the one that it was redirected to, for every range.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Answer, TestService } from '../support/service.ts';
import { assertProblem, startContractService } from './contract.ts';
import { MARKET, marketSource, wave } from './market.ts';

const ADDRESS = '/v1/crypto/export/ta-cur.parquet';
const FEW = MARKET.filter(({ profile, closes }) => profile !== null && closes.length > 30).slice(0, 5);

let service: TestService;
before(async () => {
  service = await startContractService({ sources: [marketSource(FEW)] });
});
after(() => service.close());

let published = 0;
let last: Promise<unknown> = Promise.resolve();
/** One load at a time. Another client has the file of the new version made. */
function publish(): Promise<unknown> {
  const change = async () => {
    published++;
    await service.load(marketSource([{ ...FEW[0]!, closes: wave(420, 50_000 + published, published) }]));
    assert.equal((await service.ask(ADDRESS, { method: 'HEAD' })).status, 307);
  };
  last = last.then(change);
  return last;
}

/** Requests a range, or with null the size, of the address that the reader was given. It follows redirects every time. */
type Ask = (range: string | null, method?: 'HEAD' | 'GET') => Promise<Answer>;
/** The parts of the file that a read has put together: where each begins, and its bytes. */
type Parts = readonly (readonly [from: number, bytes: Buffer])[];

const sizeOf = ({ headers }: Answer) =>
  Number(headers['content-range']?.toString().split('/')[1] ?? headers['content-length']);

function part(answer: Answer): readonly [number, Buffer] {
  const [, from] = /^bytes (\d+)-/.exec(String(answer.headers['content-range'])) ?? assert.fail('not a range');
  return [Number(from), answer.body];
}

/** Every part of `size` bytes, so many at a time. */
async function inParts(ask: Ask, size: number, step: number, atOnce: number): Promise<Parts> {
  const parts: (readonly [number, Buffer])[] = [];
  for (let at = 0; at < size; at += step * atOnce) {
    const starts = Array.from({ length: atOnce }, (_, i) => at + i * step).filter(start => start < size);
    const answers = await Promise.all(starts.map(start => ask(`bytes=${start}-${Math.min(start + step, size) - 1}`)));
    parts.push(...answers.map(part));
  }
  return parts;
}

const READERS: Readonly<Record<string, (ask: Ask) => Promise<Parts>>> = {
  // Its first request is for the end of the file, then the columns of all row groups at once.
  async Polars(ask) {
    const tail = await ask('bytes=-2048');
    return [part(tail), ...(await inParts(ask, sizeOf(tail), 4000, 4))];
  },
  // Asks for the size, then for one block after the other, from the end first.
  async fsspec(ask) {
    const size = sizeOf(await ask(null, 'HEAD'));
    const tail = await ask(`bytes=${size - 1500}-${size - 1}`);
    return [part(tail), ...(await inParts(ask, size, 5000, 1))];
  },
  // Asks for the size, then for the end, then for columns over several connections.
  async DuckDB(ask) {
    const size = sizeOf(await ask(null, 'HEAD'));
    const tail = await ask(`bytes=${size - 1000}-${size - 1}`);
    return [part(tail), ...(await inParts(ask, size, 3000, 2))];
  },
};

/** Publishes before each request, as often as the service allows. */
function asker(address: string): Ask {
  return async (range, method = 'GET') => {
    await publish();
    const headers = range === null ? {} : { range };
    const first = await service.ask(address, { method, headers });
    if (first.status !== 307) return first;
    await publish();
    return service.ask(first.headers.location!, { method, headers });
  };
}

describe('while data is published between any two requests', () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`${name} reads one publication from the address that the redirect names`, async () => {
      for (let i = 0; i < 3; i++) {
        const { headers } = await service.ask(ADDRESS, { method: 'HEAD' });
        const whole = await service.ask(headers.location!);
        const digest = createHash('sha256').update(whole.body).digest('base64url');
        assert.equal(whole.headers.etag, `"${digest}"`);
        const before = published;
        const parts = await read(asker(headers.location!));
        assert.ok(published - before >= 5, 'publications came in between');
        const joined = Buffer.alloc(whole.body.length);
        for (const [from, bytes] of parts) bytes.copy(joined, from);
        assert.deepEqual(joined, whole.body);
      }
    });

    it(`${name} gets no byte of a range from the address without a version`, async () => {
      let refused: Answer | null = null;
      const ask: Ask = async (...wanted) => {
        const answer = await asker(ADDRESS)(...wanted);
        assert.notEqual(answer.status, 206);
        if (answer.status !== 200) {
          refused = answer;
          throw new Error('refused');
        }
        return answer;
      };
      await assert.rejects(read(ask), /refused/);
      assertProblem(refused ?? assert.fail(), 416, 'range_needs_version');
    });
  }

  it('pandas, which takes the whole file, gets one publication', async () => {
    for (let i = 0; i < 5; i++) {
      const { body, headers } = await asker(ADDRESS)(null);
      assert.equal(headers.etag, `"${createHash('sha256').update(body).digest('base64url')}"`);
    }
  });
});
