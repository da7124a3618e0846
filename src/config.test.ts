import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, environmentVariable, resolveConfig, SETTINGS } from './config.ts';

describe('a setting', () => {
  it('comes from the flag, else the environment, else the config file, else the default', () => {
    const [flags, env, file] = [{ port: '1' }, { TIDEMARK_PORT: '2' }, { port: 3 }];
    assert.equal(resolveConfig(flags, env, file).port, 1);
    assert.equal(resolveConfig({}, env, file).port, 2);
    assert.equal(resolveConfig({}, {}, file).port, 3);
    assert.equal(resolveConfig({}, {}, {}).port, SETTINGS.port.default);
  });

  it('is known to have been given or not', () => {
    const { given } = resolveConfig({ port: '1' }, { TIDEMARK_HOST: '::' });
    assert.deepEqual([...given].sort(), ['host', 'port']);
  });

  it('has an environment variable named after it', () => {
    assert.equal(environmentVariable('public-url'), 'TIDEMARK_PUBLIC_URL');
  });

  for (const [what, flags, env, file, message] of [
    ['a word for a number', { port: 'http' }, {}, {}, /^--port: expected a whole number from 0 to 65535, got "http"$/],
    ['a number out of range', {}, { TIDEMARK_PORT: '70000' }, {}, /^TIDEMARK_PORT: .* from 0 to 65535/],
    ['a fraction', {}, {}, { port: 80.5 }, /^tidemark\.json: port: .*got 80\.5$/],
    ['a number for a text', {}, {}, { host: 5 }, /^tidemark\.json: host: expected text, got 5$/],
    ['an empty text', {}, { TIDEMARK_STORE: ' ' }, {}, /^TIDEMARK_STORE: expected text/],
    ['a group that is not a path segment', { group: '../x' }, {}, {}, /^--group: expected lower-case letters, digits/],
    ['a group that another path has', { group: 'coins' }, {}, {}, /^--group: .*not catalog or coins/],
    ['an address of another kind', { 'public-url': 'ftp://x' }, {}, {}, /^--public-url: expected a URL such as/],
    ['a word for a flag', {}, { TIDEMARK_DEMO: 'yes' }, {}, /^TIDEMARK_DEMO: expected true or false/],
    [
      'a misspelt variable',
      {},
      { TIDEMARK_PROT: '1' },
      {},
      /^unknown setting TIDEMARK_PROT; did you mean TIDEMARK_PORT\?$/,
    ],
    ['a setting that is none', {}, {}, { prot: 1 }, /^tidemark\.json: unknown setting "prot"$/],
  ] as const) {
    it(`is refused with its origin: ${what}`, () => {
      assert.throws(
        () => resolveConfig(flags, env, file, 'tidemark.json'),
        (error: unknown) => error instanceof ConfigError && message.test(error.message),
      );
    });
  }

  it('leaves variables alone that others have, such as those of Kubernetes for a service of that name', () => {
    const others = { TIDEMARK_SERVICE_HOST: '10.0.0.1', TIDEMARK_PORT_8080_TCP_PORT: '8080', TIDEMARK_URL: 'http://x' };
    assert.equal(resolveConfig({}, others).port, SETTINGS.port.default);
  });

  it('cannot be changed afterwards', () => {
    const config = resolveConfig({}, {});
    assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  });
});
