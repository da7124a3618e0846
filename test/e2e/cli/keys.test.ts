import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../../src/cli/command.ts';
import { keys as keysCommand } from '../../../src/cli/keys.ts';
import { resolveConfig } from '../../../src/config.ts';
import { hashOf, isWellFormed, newApiKey } from '../../../src/domain/api-key.ts';
import { type Day, dayOfMillis, FIRST_DAY, isoFromDay } from '../../../src/domain/day.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { openStore } from '../../../src/store/open.ts';
import type { NewKey } from '../../../src/store/store.ts';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-keys-'));
after(() => rmSync(folder, { recursive: true }));

/** `tidemark keys …` on the store of this name. */
function keys(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [launcher, 'keys', ...args, '--store', `sqlite:${join(folder, name)}/store.db`],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } },
  );
  return { status, stdout, stderr };
}

/** The same without a process of its own, for what many cases differ in. Throws what the program would print. */
async function keysHere(name: string, args: readonly string[], options: Readonly<Record<string, string>> = {}) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const config = resolveConfig({ store: `sqlite:${join(folder, name)}/store.db` }, {});
  const output = { json: true, live: false, width: 100, print, say: print };
  await keysCommand.run({ config, args, options, output });
  return JSON.parse(printed.join('\n'));
}

function openNamed(name: string) {
  return openStore(`sqlite:${join(folder, name)}/store.db`);
}

function stored(id: string, facts: Partial<NewKey> = {}): NewKey {
  return { id, hash: hashOf(id), tier: 'free', name: null, expires: null, ...facts };
}

const today = dayOfMillis(Date.now())!;
const farDay = isoFromDay((today + 30) as Day); // within the calendar for some thousand years

describe('keys create', () => {
  it('prints the key plainly, with its facts and the request to copy it', async () => {
    const { status, stdout, stderr } = keys(
      'plain',
      'create',
      '--tier',
      'pro',
      '--name',
      ' Notebook ',
      '--expires',
      farDay,
    );
    assert.equal(status, 0, stderr);
    const facts = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map(line => line.split(/ {2,}/)),
    );
    assert.ok(isWellFormed(facts.key), facts.key);
    assert.deepEqual(facts, {
      key: facts.key,
      id: facts.id,
      tier: 'pro',
      name: 'Notebook',
      expires: `after ${farDay} (UTC)`,
    });
    assert.match(stderr, /^Copy the API key now\. .*not shown again/);
    const store = await openNamed('plain');
    const [found, ...others] = await store.keys();
    await store.close();
    assert.deepEqual([found?.id, found?.tier, found?.name, others.length], [facts.id, 'pro', 'Notebook', 0]);
    assert.deepEqual(Buffer.from(found!.hash), hashOf(facts.key));
    assert.equal(isoFromDay(found!.expires!), farDay);
  });

  it('prints one JSON document with --json', () => {
    const { stdout, stderr } = keys('json', 'create', '--tier', 'free', '--json');
    const created = JSON.parse(stdout);
    assert.match(created.id, /^key_[0-9a-z]{10}$/);
    assert.ok(isWellFormed(created.key));
    assert.deepEqual(created, { id: created.id, key: created.key, tier: 'free', name: null, expires: null });
    assert.equal(stderr, '');
  });

  it('leaves the key nowhere else: not in the store’s files, not in the list', async () => {
    // Held open, so that the log of the database is still there to be looked at.
    const store = await openNamed('grep');
    const { id, key } = JSON.parse(keys('grep', 'create', '--tier', 'free', '--name', 'grep', '--json').stdout);
    const files = readdirSync(join(folder, 'grep'));
    assert.ok(files.includes('store.db') && files.includes('store.db-wal'), files.join());
    const written = Buffer.concat(files.map(file => readFileSync(join(folder, 'grep', file))));
    await store.close();
    const hash = hashOf(key);
    assert.ok(written.includes(id) && written.includes(hash), 'the files are those of the store');
    const listed = keys('grep', 'list').stdout + JSON.stringify(await keysHere('grep', ['list']));
    assert.ok(listed.includes(id));
    for (const secret of [key, key.slice(4), key.slice(4, 36)]) {
      assert.equal(written.includes(secret), false);
      assert.equal(listed.includes(secret), false);
    }
    for (const form of ['hex', 'base64', 'base64url'] as const)
      assert.equal(listed.includes(hash.toString(form)), false);
  });

  for (const tier of Object.keys(TIERS)) {
    it(`makes keys of the tier ${tier}`, async () => {
      assert.equal((await keysHere('tiers', ['create'], { tier })).tier, tier);
    });
  }
});

describe('keys list', () => {
  it('says how to make the first key', async () => {
    assert.equal(keys('empty', 'list').status, 1, 'looking does not make a store');
    await (await openNamed('empty')).close();
    const { status, stdout } = keys('empty', 'list');
    assert.equal(status, 0);
    assert.match(
      stdout,
      /no API keys yet\. Create one:\n {2}\.\/tidemark keys create --tier pro --name me --store sqlite:\S+\n$/,
    );
    assert.deepEqual(JSON.parse(keys('empty', 'list', '--json').stdout).keys, []);
  });

  it('shows every key with its state, its last use and today’s requests', async () => {
    const store = await openNamed('list');
    await store.createKey(stored('key_active', { tier: 'basic', name: 'Ana' }));
    await store.createKey(stored('key_expired', { expires: (today - 2) as Day })); // some day of this century
    await store.createKey(stored('key_revoked'));
    await store.revokeKey('key_revoked');
    await store.addUsage(FIRST_DAY, [{ keyId: 'key_expired', accepted: 9, refused: 9 }]);
    await store.addUsage(today, [{ keyId: 'key_active', accepted: 12345, refused: 67 }]);
    await store.close();

    const { stdout } = keys('list', 'list');
    const [head, ...lines] = stdout.trimEnd().split('\n');
    assert.match(head!, /^id +name +tier +created \(UTC\) +expires +state +last used +accepted today +refused today$/);
    const day = isoFromDay(today);
    const created = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    assert.match(lines[0]!, new RegExp(`^key_active +Ana +basic +${created} +never +active +${day} +12,345 +67$`));
    assert.match(lines[1]!, new RegExp(`^key_expired +free +${created} +....-..-.. +expired +1970-01-01 +0 +0$`));
    assert.match(lines[2]!, new RegExp(`^key_revoked +free +${created} +never +revoked +never +0 +0$`));
    assert.equal(lines.length, 3);

    const listed = await keysHere('list', ['list']);
    assert.equal(listed.today, day);
    assert.deepEqual(listed.keys[0], {
      id: 'key_active',
      name: 'Ana',
      tier: 'basic',
      state: 'active',
      createdAt: listed.keys[0].createdAt,
      expires: null,
      revokedAt: null,
      lastUsed: day,
      acceptedToday: 12345,
      refusedToday: 67,
    });
    assert.deepEqual([listed.keys[1].lastUsed, listed.keys[1].acceptedToday], ['1970-01-01', 0]);
    assert.match(listed.keys[2].revokedAt, /^\d{4}-.*Z$/);
  });
});

describe('keys revoke', () => {
  it('ends a key, and says plainly that it was ended before', async () => {
    const { id } = await keysHere('revoke', ['create'], { tier: 'free', name: 'Ana' });
    const first = keys('revoke', 'revoke', id);
    assert.equal(first.status, 0);
    assert.equal(first.stdout, `${id} (Ana) is revoked. Running servers reject it within 2 s.\n`);
    const again = keys('revoke', 'revoke', id);
    assert.equal(again.status, 0);
    assert.match(
      again.stdout,
      new RegExp(String.raw`^${id} \(Ana\) was already revoked, at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$`, 'm'),
    );
    const answer = { id, tier: 'free', name: 'Ana', state: 'revoked', changed: false };
    assert.deepEqual(await keysHere('revoke', ['revoke', id]), answer);
  });

  it('fails for an id that is none, with the nearest one', async () => {
    const { id } = await keysHere('unknown', ['create'], { tier: 'free' });
    const typo = `${id.slice(0, -1)}_`;
    const list = `tidemark keys list --store sqlite:${join(folder, 'unknown')}/store.db' shows all of them.`;
    const { status, stdout, stderr } = keys('unknown', 'revoke', typo);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.equal(stderr, `tidemark: there is no API key with the id "${typo}"\nDid you mean ${id}? './${list}\n`);
    await assert.rejects(keysHere('unknown', ['revoke', 'x']), { hint: `'${list}` });
  });

  it('given the key itself, fails with its id and without the key', async () => {
    const { id, key } = await keysHere('leaked', ['create'], { tier: 'free' });
    const message = 'this is an API key; revoke it by its id';
    await assert.rejects(keysHere('leaked', ['revoke', key]), { message, hint: `Its id is ${id}.` });
    const hint = 'This store does not have this API key.';
    await assert.rejects(keysHere('leaked', ['revoke', newApiKey()]), { message, hint });
    assert.equal((await keysHere('leaked', ['list'])).keys[0].state, 'active');
  });
});

describe('keys in a way that is not understood', () => {
  const key = newApiKey();
  const tier = 'free';
  for (const [what, args, options, message] of [
    ['nothing to do', [], {}, /keys needs an action\nActions: create, list, revoke/],
    ['a misspelt action', ['crate'], {}, /keys has no action "crate"; did you mean 'create'\?/],
    ['a name from the inside', ['constructor'], {}, /keys has no action "constructor"/],
    ['a key as the action', [key], {}, /keys has no action "tdm_\*\*\*"/],
    ['no tier', ['create'], {}, /needs --tier: free, basic, pro, unlimited/],
    [
      'an unknown tier',
      ['create'],
      { tier: 'fre' },
      /unknown tier "fre"; did you mean 'free'\?\nTiers: free, basic, pro, unl/,
    ],
    ['a name without a letter', ['create'], { tier, name: ' ' }, /--name: expected one line/],
    ['a name of two lines', ['create'], { tier, name: 'a\nb' }, /--name: expected one line/],
    ['a name that is too long', ['create'], { tier, name: 'x'.repeat(101) }, /1 to 100 characters/],
    ['a name with a key', ['create'], { tier, name: `was ${key}` }, /must not contain an API key/],
    ['a past day', ['create'], { tier, expires: '2020-01-01' }, /"2020-01-01" is in the past; expected today \(/],
    ['a day that is none', ['create'], { tier, expires: '2030-02-30' }, /expected a day such as \d{4}-/],
    ['an argument too many', ['list', key], {}, /usage: tidemark keys list; got 1 arguments/],
    ['no id', ['revoke'], {}, /usage: tidemark keys revoke ID; got 0 arguments/],
    ['the flag of another action', ['list'], { tier }, /keys list has no flag --tier/],
  ] as const) {
    it(`says what would be right, and touches no store: ${what}`, async () => {
      await assert.rejects(keysHere('wrong', args, options), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, message);
        assert.equal(error.message.includes(key), false);
        return true;
      });
      assert.equal(existsSync(join(folder, 'wrong')), false);
    });
  }

  it('ends with code 2', () => {
    const { status, stdout, stderr } = keys('wrong', 'create', '--tier', 'gold');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /unknown tier "gold"\nTiers: free/);
  });
});
