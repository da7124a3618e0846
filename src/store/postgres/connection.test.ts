import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { urlsOfHosts } from './connection.ts';

describe('the hosts of a PostgreSQL URL', () => {
  for (const [url, expected] of [
    ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
    ['postgres://u:p@one:5432,two:5433/db', ['postgres://u:p@one:5432/db', 'postgres://u:p@two:5433/db']],
    ['postgres://one,two/db', ['postgres://one/db', 'postgres://two/db']],
    ['postgres://u:p%40q@[::1]:1,[::2]:2/db', ['postgres://u:p%40q@[::1]:1/db', 'postgres://u:p%40q@[::2]:2/db']],
    ['postgresql://u@a,b,c/db?sslmode=require', ['a', 'b', 'c'].map(h => `postgresql://u@${h}/db?sslmode=require`)],
    ['postgres://a,b/db?target_session_attrs=any', ['postgres://a/db', 'postgres://b/db']],
    ['postgres://a,b/db?x=1&target_session_attrs=any&y=2', ['postgres://a/db?x=1&y=2', 'postgres://b/db?x=1&y=2']],
    ['postgres://u:a,b@one/db', ['postgres://u:a,b@one/db']],
  ] as const) {
    it(`are found in ${url}`, () => assert.deepEqual(urlsOfHosts(url), expected));
  }

  it('must not be empty', () => {
    assert.throws(() => urlsOfHosts('postgres://u:secret@one,,two/db'), { code: 'bad_url', message: /^(?!.*secret)/ });
  });
});
