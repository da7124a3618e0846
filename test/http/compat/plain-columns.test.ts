// Paths that read no optional column answer also while a store has not published these columns.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ApiError } from '../../../src/errors.ts';
import { type DemoServer, startDemo } from '../../support/demo-server.ts';

let demo: DemoServer;
before(async () => {
  const pending = () => Promise.reject(new ApiError('columns_pending', 'The columns are being computed.'));
  demo = await startDemo({ optional: pending });
});
after(() => demo.close());

for (const path of [
  '/coingecko/api/v3/ping',
  '/coingecko/api/v3/simple/supported_vs_currencies',
  '/coingecko/api/v3/coins/list',
  '/coingecko/api/v3/search?query=al',
  '/coinpaprika/v1/coins',
  '/coinpaprika/v1/coins/aldm-aldermoor',
  '/coinpaprika/v1/search?q=al',
  '/coinpaprika/v1/tags',
]) {
  it(`${path} does not wait for them`, async () => assert.equal((await demo.ask(path)).status, 200));
}

it('a path that reads one does', async () => {
  assert.equal((await demo.ask('/coingecko/api/v3/global')).status, 503);
});
