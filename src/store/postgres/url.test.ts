import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostConfig, urlsOfHosts } from './url.ts';

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

describe('a parameter of a PostgreSQL URL', () => {
  for (const [what, query, message, hint] of [
    ['an unknown name', 'schema=x', /"schema" is unknown/, /known are .*sslmode/],
    ['a misspelt name', 'sslmod=require', /"sslmod" is unknown/, /did you mean sslmode\?/],
    ['an unknown mode', 'sslmode=foo', /sslmode=foo is not a mode/, /verify-full/],
    [
      'an authority that would not be checked',
      'sslrootcert=/etc/ca.pem',
      /prefer does not check .* sslrootcert/,
      /sslmode=verify-full/,
    ],
    ['verify-ca without an authority', 'sslmode=verify-ca', /needs sslrootcert=FILE/, /verify-full/],
    [
      'a file that is missing',
      'sslmode=verify-full&sslrootcert=/none',
      /the file \/none of sslrootcert cannot be read \(ENOENT\)/,
      /can be read/,
    ],
  ] as const) {
    it(`is refused with what is wrong: ${what}`, () => {
      assert.throws(() => hostConfig(`postgres://u:secret@h/d?${query}`), { code: 'bad_url', message, hint });
    });
  }

  for (const [query, encrypts, isOptional, checks] of [
    ['', true, true, false],
    ['?sslmode=disable', false, false, undefined],
    ['?sslmode=prefer', true, true, false],
    ['?sslmode=require&application_name=x', true, false, false],
    ['?sslmode=verify-full', true, false, true],
    ['?sslrootcert=system', true, false, true],
    ['?host=/run/postgresql', false, false, undefined],
  ] as const) {
    it(`decides on encryption: ${query || 'none'}`, () => {
      const { tls } = hostConfig(`postgres://u@h/d${query}`);
      assert.deepEqual(
        [tls.options !== null, tls.isOptional, tls.options?.rejectUnauthorized],
        [encrypts, isOptional, checks],
      );
    });
  }
});
