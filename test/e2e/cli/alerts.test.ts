// `alerts` as people and scripts use it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ended } from '../../resilience/faults/loading.ts';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-cli-alerts-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', TIDEMARK_STORE: 'sqlite:alerts.db' };
  return ended(spawn(process.execPath, [launcher, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

const URL = 'https://hooks.slack.com/services/T0/B0/topsecretpath';
const create = (name: string, ...args: string[]) =>
  tidemark('alerts', 'create', '--name', name, '--query', 'where=change7 < -20', '--to', URL, ...args);

describe('tidemark alerts', () => {
  let secret = '';
  before(async () => {
    const missing = await create('early');
    assert.deepEqual([missing.code, readdirSync(folder)], [1, []], 'it creates no store');
    assert.match(missing.stderr, /there is no store .*alerts\.db/);
    await tidemark('keys', 'create', '--tier', 'free');
    const { code, stdout, stderr } = await create('oversold', '--format', 'slack', '--json');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /alerts\.db holds no prices yet/);
    const made = JSON.parse(stdout);
    secret = made.secret;
    assert.match(secret, /^whsec_/);
    assert.deepEqual([made.name, made.on, made.to], ['oversold', 'enter', 'https://hooks.slack.com/…']);
  });

  it('list shows neither the secret nor the path of the destination', async () => {
    const texts = await Promise.all([tidemark('alerts', 'list'), tidemark('alerts', 'list', '--json')]);
    for (const { stdout } of texts) {
      assert.match(stdout, /oversold/);
      assert.ok(!stdout.includes(secret) && !stdout.includes('topsecretpath'));
    }
    const [alert] = JSON.parse(texts[1]!.stdout).alerts;
    assert.deepEqual([alert.state, alert.matching, alert.waiting], ['active', null, 0]);
  });

  it('pause, resume and remove take an id or a name', async () => {
    const { id } = JSON.parse((await create('short', '--json')).stdout);
    const state = async () => JSON.parse((await tidemark('alerts', 'list', '--json')).stdout).alerts[1]?.state;
    await tidemark('alerts', 'pause', 'short');
    assert.equal(await state(), 'paused');
    await tidemark('alerts', 'resume', id);
    assert.equal(await state(), 'active');
    const moved = JSON.parse((await tidemark('alerts', 'resume', id, '--to', URL, '--json')).stdout);
    assert.match(moved.secret, /^whsec_/);
    await tidemark('alerts', 'remove', id);
    assert.equal(await state(), undefined);
    assert.match((await tidemark('alerts', 'log')).stdout, /No messages yet/);
  });

  for (const [what, args, expected] of [
    ['a misspelt column', ['--query', 'prise=1:'], /price/],
    ['a broken expression', ['--query', 'where=price >'], /--query: /],
    ['a page', ['--query', 'page=2'], /cannot have page/],
    ['an unknown direction', ['--on', 'entr'], /did you mean 'enter'/],
    ['an unknown format', ['--format', 'teams'], /json, slack, discord, ntfy/],
    ['a private address', ['--to', 'http://10.0.0.1/'], /10\.0\.0\.1 is refused/],
    ['loopback written as a number', ['--to', 'http://2130706433/'], /127\.0\.0\.1 is refused/],
    ['a password', ['--to', 'https://me:pw@example.com/'], /user name or password/],
    ['another protocol', ['--to', 'file:///etc/passwd'], /http or https/],
    ['a name that is taken', ['--name', 'oversold'], /already an alert named oversold/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await create('other', ...args);
      assert.ok(code === 1 || code === 2, String(code));
      assert.match(stderr, expected);
      assert.ok(!stderr.includes('topsecretpath'));
    });
  }

  it('names the nearest alert and the nearest action', async () => {
    assert.match((await tidemark('alerts', 'pause', 'oversould')).stderr, /Did you mean "oversold"/);
    assert.match((await tidemark('alerts', 'craete')).stderr, /did you mean 'create'/);
  });

  it('test posts one signed message, and fails with the reason when it is not accepted', async t => {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      seen.push({ headers: request.headers, body });
      response.writeHead(seen.length === 1 ? 200 : 403).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`; // it listens on TCP
    const allow = '--allow-private-webhooks';
    const made = JSON.parse((await create('local', '--to', to, allow, '--json')).stdout);
    const accepted = await tidemark('alerts', 'test', 'local', allow, '--public-url', 'https://data.example.com');
    assert.equal(accepted.code, 0, accepted.stderr);
    const [{ headers, body } = assert.fail('no message')] = seen;
    const { type, data } = JSON.parse(body);
    assert.deepEqual([type, data.screen_url], ['alert.test', 'https://data.example.com/?where=change7%20%3C%20-20']);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64');
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);

    const refused = await tidemark('alerts', 'test', 'local', allow);
    assert.deepEqual([refused.code, /responded with 403/.test(refused.stderr)], [1, true]);
    const private_ = await tidemark('alerts', 'test', 'local');
    assert.deepEqual([private_.code, /is refused/.test(private_.stderr)], [1, true]);
    assert.equal(seen.length, 2);
  });

  it('a restored alert has no destination until it gets one', async () => {
    await tidemark('backup', 'a.backup');
    await tidemark('restore', 'a.backup', '--store', 'sqlite:restored.db');
    const store = ['--store', 'sqlite:restored.db'];
    assert.match((await tidemark('alerts', 'resume', 'oversold', ...store)).stderr, /has no destination/);
    assert.equal((await tidemark('alerts', 'resume', 'oversold', '--to', URL, ...store)).code, 0);
  });
});
