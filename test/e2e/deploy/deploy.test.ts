// The files in deploy/ and the SQL in the docs, as far as they can be tried here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COMMAND_NAMES } from '../../../src/cli/commands.ts';
import { environmentVariable, SETTINGS } from '../../../src/config.ts';
import { openStore } from '../../../src/store/open.ts';
import { LOCK_SPACE } from '../../../src/store/postgres/database.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';
import { everything, fillWithEverything } from '../../support/whole-store.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync('deploy/*', { cwd: root, exclude: ['deploy/grafana', 'deploy/citus'] }).map(name => ({
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
      // The last one says how messages name the program; it is not a setting.
      const known = [...Object.keys(SETTINGS).map(environmentVariable), 'TIDEMARK_PROGRAM'];
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
    for (const [, major] of images) assert.equal(`${major}.x`, engines.node);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it('systemd understands its units', { skip: hasSystemd ? false : 'systemd-analyze is not installed' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-units-'));
    try {
      const units = files.filter(({ name }) => /\.(service|timer)$/.test(name));
      const paths = units.map(({ name, text }) => {
        const path = join(folder, basename(name));
        // It checks that the program is there.
        writeFileSync(path, text.replaceAll('/opt/tidemark/', `${root}/`));
        return path;
      });
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
      for (const path of paths.filter(each => each.endsWith('.service'))) {
        // The exposure in tenths, from 0 (none) to 100; fails above it.
        const { status: exposed, stdout } = spawnSync(
          'systemd-analyze',
          ['security', '--offline=true', '--threshold=12', path],
          { encoding: 'utf8' },
        );
        assert.equal(exposed, 0, stdout);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what the service may do to its machine', () => {
  const textOf = (name: string) => files.find(file => file.name.endsWith(name))?.text ?? assert.fail(name);
  for (const unit of ['tidemark.service', 'tidemark-backup.service']) {
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'MemoryMax=',
      'TasksMax=',
    ]) {
      it(`${unit} sets ${line}`, () => assert.match(textOf(unit), new RegExp(`^${line}`, 'm')));
    }
  }

  it('containers are bounded and read-only', () => {
    const [, server = ''] = textOf('compose.yaml').split('\n  tidemark:\n');
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
      'mem_limit:',
    ]) {
      assert.ok(server.includes(`\n    ${line}`), line);
    }
    for (const line of [
      'mem_limit: .*',
      'pids_limit: .*',
      'read_only: true',
      'security_opt: .*no-new-privileges:true.*',
    ]) {
      const both = textOf('compose.yaml').match(new RegExp(`^ {4}${line}$`, 'gm'));
      assert.equal(both?.length, 2, `each of the two services has ${line}`);
    }
    assert.match(textOf('Containerfile'), /^USER node$/m);
  });

  const compose = [['docker', 'compose'], ['docker-compose']].find(
    ([program = '', ...args]) => spawnSync(program, [...args, 'version']).status === 0,
  );
  it('Compose understands its file', { skip: compose ? false : 'Docker Compose is not installed' }, () => {
    const [program = '', ...args] = compose ?? [];
    const all = [...args, '-f', join(root, 'deploy/compose.yaml'), 'config', '--quiet'];
    const env = { ...process.env, POSTGRES_PASSWORD: 'x' };
    const { status, stderr } = spawnSync(program, all, { env, encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
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
    await runSql(url, statements);
    const count = `SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'tidemark.bar_blocks'::regclass`;
    const [parts] = await runSql(url, count);
    assert.equal(parts?.['count'], 16);
    assert.deepEqual(await everything(store), before);
    const [assetNumber = 0] = await store.putAssets([draft('later')]);
    const bars = Array.from({ length: 3000 }, (_, day) => ({ assetNumber, day, close: day + 1 }));
    assert.deepEqual(await store.putBars(batch(bars)), { inserted: 3000, replaced: 0, unchanged: 0 });
    assert.deepEqual(await store.putBars(batch([{ assetNumber, day: 5, close: 9 }])), {
      inserted: 0,
      replaced: 1,
      unchanged: 0,
    });
    assert.equal((await store.closes([assetNumber], 365)).close.length, 366);
  });
});
