// The worked screens of the reference of expressions: each is asked as it is written, and selects some rows but not all.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DEMO_URL, type DemoServer, startDemo } from '../support/demo-server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/expressions.md'), 'utf8');
const commands = [...page.matchAll(/curl -G [^\n]*/g)].map(([command]) => command);

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

/** The path that curl would ask for. */
function requestOf(command: string): string {
  const address = new RegExp(`'${DEMO_URL}([^']*)'`).exec(command)?.[1];
  assert.ok(address, command);
  const data = [...command.matchAll(/--data-urlencode (?:'([^']*)'|"([^"]*)")/g)].map(
    match => match[1] ?? match[2] ?? '',
  );
  const pairs = data.map(pair => {
    const equals = pair.indexOf('=');
    return `${pair.slice(0, equals)}=${encodeURIComponent(pair.slice(equals + 1))}`;
  });
  return address + (address.includes('?') ? '&' : '?') + pairs.join('&');
}

async function rows(path: string): Promise<unknown[]> {
  const answer = await demo.ask(path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ result: unknown[] }>().result;
}

describe('the worked screens', () => {
  it('are fifteen, and one of statistics', () => assert.equal(commands.length, 16));

  for (const command of commands) {
    it(command.replace(/.*8080/, ''), async () => {
      const path = requestOf(command);
      const found = await rows(path);
      assert.ok(found.length > 0, 'it selects rows');
      if (path.includes('/stats')) return;
      const [all, selected] = await Promise.all([
        rows(`${path.split(/[?&](?:where|calc|sort)=/)[0]!}${path.includes('symbol=') ? '&' : '?'}limit=100000`),
        rows(`${path}&limit=100000`),
      ]);
      assert.ok(selected.length < all.length, `${selected.length} of ${all.length}`);
    });
  }
});
