import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alertCommand, alertQuery, commandsOf } from './alert-command.ts';

describe('the command that makes a screen an alert', () => {
  for (const [search, query] of [
    ['', ''],
    ['?sort=vol30&cols=price&page=2&as_of=2026-01-31&interval=1h&quote=EUR', ''],
    ['?quote=EUR&interval=1h&where=price%20%3E%201', 'where=price > 1&interval=1h&quote=EUR'],
    ['?where=rsi14%20%3C%2030%20and%20price%20%3E%3D%201&tag=defi', 'where=rsi14 < 30 and price >= 1&tag=defi'],
    ['?symbols=BTC,ETH&min_history=200', 'min_history=200&symbol=BTC,ETH'],
    ["?where=symbol%20%3D%20'A%26B%2BC'", "where=symbol = 'A%26B%2BC'"],
  ] as const) {
    it(`has ${query || 'nothing'} for ${search || 'no filter'}`, () => {
      assert.equal(alertQuery(search), query);
      // The same to the parser of a query string.
      const given = new URLSearchParams(search);
      assert.equal(new URLSearchParams(query).get('where'), given.get('where'));
    });
  }

  it('names the program and the store of this server, and quotes for the shell', () => {
    const form = { name: "bob's", on: 'both', format: 'slack' } as const;
    assert.equal(
      alertCommand(
        form,
        "where=symbol = 'BTC'",
        './tidemark keys create --tier pro --name me --store sqlite:data/demo.db',
      ),
      "./tidemark alerts create --name 'bob'\\''s' \\\n" +
        "  --query 'where=symbol = '\\''BTC'\\''' \\\n" +
        "  --on both --format slack --to 'https://hooks.slack.com/services/…' --store sqlite:data/demo.db",
    );
  });

  it('has a place for the store that the server does not state, so that no other store gets the alert', () => {
    const command = alertCommand({ name: '', on: 'both', format: 'slack' }, 'price=1:', null);
    assert.match(command, /^tidemark alerts create --name 'my screen' .* --store STORE_OF_THE_SERVER$/s);
  });

  it('takes program and store from the command for API keys', () => {
    const rest = 'keys create --tier pro --name me';
    assert.deepEqual(commandsOf(`npx tidemark ${rest}`), { program: 'npx tidemark', store: '' });
    const odd = ` --store 'sqlite:it'\\''s mine.db'`;
    assert.deepEqual(commandsOf(`'./my tidemark' ${rest}${odd}`), { program: "'./my tidemark'", store: odd });
  });
});
