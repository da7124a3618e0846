// A file never lacks rows unnoticed: SPEC 3 and 18 on `limit` in CSV, NDJSON and Arrow.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { resolveTiers } from '../../src/domain/tiers.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, type Envelope, HISTORY, LISTING, startContractService } from './contract.ts';

/** Tiers with 50 rows, fewer than the market has assets and its assets have days. */
const tiers = resolveTiers('team: rows=50 default=20 export=yes; small: rows=50 default=20');
const BARS = '/v1/crypto/bars?symbol=BTC';
const HIST = `${HISTORY}?symbol=BTC`;

let service: TestService;
before(async () => {
  service = await startContractService({
    authenticate: ({ headers }) => ({ tier: tiers.get(String(headers['x-tier'] ?? 'team'))!, key: null, headers: '' }),
  });
});
after(() => service.close());

const ask = (path: string, tier = 'team', more = {}) => service.ask(path, { headers: { 'x-tier': tier }, ...more });
const csvRows = (text: string) => text.trimEnd().split('\r\n').length - 1;

describe('a limit above the maximum of the tier', () => {
  for (const format of ['csv', 'ndjson', 'arrow']) {
    it(`is refused in ${format} if it would cut rows off, and names the maximum and the export`, async () => {
      for (const path of [`${LISTING}?`, `${LISTING}?page=2&`, `${LISTING}?page=9&`, `${BARS}&`, `${HIST}&`]) {
        const answer = await ask(`${path}limit=51&format=${format}`);
        const problem = assertProblem(answer, 400, 'limit_above_tier', 'limit');
        assert.deepEqual(problem.candidates, ['50']);
        assert.match(problem.detail, /limit is 51; the tier team allows 50 rows per page/);
        const [, name] = /v1\/crypto\/([\w-]+)/.exec(path) ?? [];
        assert.ok(problem.hint?.includes(`/v1/crypto/export/${name}.parquet`), problem.hint);
      }
    });

    it(`is accepted in ${format} if all rows fit`, async () => {
      for (const path of [
        `${LISTING}?symbol=BTC,ETH&`,
        `${BARS}&from=2026-03-01&`,
        `${BARS}&from=2026-03-01&page=2&`,
      ]) {
        const answer = await ask(`${path}limit=5000&format=${format}`);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers['x-limit-applied'], '50');
      }
    });
  }

  it('is refused if Accept names the format, and for HEAD', async () => {
    const accept = { headers: { 'x-tier': 'team', accept: 'text/csv' } };
    assertProblem(await service.ask(`${LISTING}?limit=51`, accept), 400, 'limit_above_tier', 'limit');
    assert.equal((await ask(`${LISTING}?limit=51&format=csv`, 'team', { method: 'HEAD' })).status, 400);
  });

  it('is lowered in JSON', async () => {
    const answer = await ask(`${LISTING}?limit=51`);
    assert.equal(answer.json<Envelope>().results_returned, 50);
  });

  it('says who may have the export', async () => {
    const problem = assertProblem(
      await ask(`${LISTING}?limit=51&format=csv`, 'small'),
      400,
      'limit_above_tier',
      'limit',
    );
    assert.match(problem.hint ?? '', /Use limit=50 .* tiers that include exports\./);
    const ofOne = assertProblem(await ask(`${BARS}&limit=51&format=csv`), 400, 'limit_above_tier', 'limit');
    assert.match(ofOne.hint ?? '', /Use no limit/);
  });
});

describe('the history of one asset in a file format, without a limit', () => {
  for (const path of [BARS, HIST]) {
    it(`${path} comes whole to tiers with exports`, async () => {
      const { result } = await ask(`${path}&limit=50&from=2020-01-01`).then(answer => answer.json<Envelope>());
      assert.equal(result.length, 50);
      const answer = await ask(`${path}&format=csv`);
      assert.equal(answer.status, 200);
      assert.equal(csvRows(answer.text), 420);
      assert.equal(answer.headers['link'], undefined);
      assert.equal(answer.headers['x-limit-applied'], undefined);
      assert.equal((await ask(`${path}&format=ndjson`)).text.trimEnd().split('\n').length, 420);
    });

    it(`${path} has no second page, and a link back that works`, async () => {
      const second = await ask(`${path}&format=csv&page=2`);
      assert.equal(csvRows(second.text), 0);
      const [, link = ''] = /<([^>]+)>; rel="prev"/.exec(String(second.headers['link'])) ?? [];
      assert.ok(!link.includes('limit='), link);
      assert.equal(csvRows((await ask(link.replace(service.url, ''))).text), 420);
    });

    it(`${path} is paged in JSON, with a limit, and for other tiers`, async () => {
      assert.equal((await ask(path)).json<Envelope>().results_returned, 20);
      assert.equal(csvRows((await ask(`${path}&format=csv&limit=30`)).text), 30);
      const small = await ask(`${path}&format=csv`, 'small');
      assert.equal(csvRows(small.text), 20);
      assert.match(String(small.headers['link']), /rel="next"/);
    });
  }

  it('a listing of many assets is paged', async () => {
    const answer = await ask(`${LISTING}?format=csv`);
    assert.equal(csvRows(answer.text), 20);
    assert.equal(answer.headers['x-limit-applied'], '20');
  });
});
