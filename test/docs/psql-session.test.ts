import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPage, renewedPage } from '../../scripts/psql-session.ts';
import { NO_POSTGRES_15 } from '../support/postgres.ts';

it('the psql session in docs/how-to/postgres.md is what psql answers', { skip: NO_POSTGRES_15 ?? false }, async () => {
  const page = readPage();
  assert.equal(await renewedPage(page), page);
});
