// The files in deploy/ and the SQL in the docs, as far as they can be tried here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import postgres from 'postgres';
import { COMMAND_NAMES } from '../../../src/cli/commands.ts';
import { environmentVariable, SETTINGS } from '../../../src/config.ts';
import { openStore } from '../../../src/store/open.ts';
import { LOCK_SPACE } from '../../../src/store/postgres/connection.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { everything, fillWithEverything } from '../../support/whole-store.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync('deploy/*', { cwd: root, exclude: ['deploy/grafana'] }).map(name => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));
const pages = globSync('docs/how-to/*.md', { cwd: root }).map(name => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));

describe('the files for running it', () => {
  for (const { name, text } of files) {
    const variables = [...new Set(text.match(/TIDEMARK_[A-Z_]+/g))];
    if (variables.length === 0) continue;
    it(`${name} names only settings that exist`, () => {
      const known = Object.keys(SETTINGS).map(environmentVariable);
      for (const variable of variables) assert.ok(known.includes(variable), variable);
    });
  }

  for (const { name, text } of [...files, ...pages]) {
    const commands = [
      ...new Set([...text.matchAll(/(?:\.|\/opt\/tidemark)\/tidemark ([a-z]+)/g)].map(match => match[1])),
    ];
    if (commands.length === 0) continue;
    it(`${name} names only commands that exist`, () => {
      for (const command of commands) assert.ok(COMMAND_NAMES.includes(command ?? ''), command);
    });
  }

  it('image and service have the same Node.js as the project', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const images = [
      ...(files.find(file => file.name.endsWith('Containerfile'))?.text.matchAll(/FROM node:(\d+)/g) ?? []),
    ];
    assert.equal(images.length, 2);
    for (const [, major] of images) assert.equal(`>=${major}`, engines.node);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it('systemd understands its units', { skip: hasSystemd ? false : 'systemd-analyze is not installed' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-units-'));
    try {
      const units = files.filter(({ name }) => /\.(service|timer)$/.test(name));
      const paths = units.map(({ name, text }) => {
        const path = join(folder, basename(name));
        // It looks whether the program is there, hence the place where it is.
        writeFileSync(path, text.replaceAll('/opt/tidemark/', `${root}/`));
        return path;
      });
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the SQL that splits the bars', () => {
  const page = pages.find(({ name }) => name.endsWith('citus.md'))?.text ?? '';
  const [, statements = ''] = /```sql\n(BEGIN;[\s\S]*?)```/.exec(page) ?? [];
  let close = async () => {};
  after(() => close());

  it('leaves every bar where it was, and a store that goes on', async () => {
    assert.ok(statements.includes(String(LOCK_SPACE)), 'it takes the lock of writers');
    const url = await freshPostgresUrl();
    const store = await openStore(url);
    close = () => store.close();
    await fillWithEverything(store);
    const before = await everything(store);
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    await sql.unsafe(statements);
    const [parts] = await sql`SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'tidemark.blocks'::regclass`;
    await sql.end();
    assert.equal(parts?.['count'], 16);
    assert.deepEqual(await everything(store), before);
    const [key = 0] = await store.putAssets([draft('later')]);
    const bars = Array.from({ length: 3000 }, (_, day) => ({ key, day, close: day + 1 }));
    assert.deepEqual(await store.putBars(batch(bars)), { inserted: 3000, replaced: 0, unchanged: 0 });
    assert.deepEqual(await store.putBars(batch([{ key, day: 5, close: 9 }])), {
      inserted: 0,
      replaced: 1,
      unchanged: 0,
    });
    assert.equal((await store.closes([key], 365)).close.length, 366);
  });
});
