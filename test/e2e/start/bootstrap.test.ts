// The page is built when it is older than its sources: tried in a project of a few files, whose Vite only writes what it must.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'tidemark-bootstrap-'));
after(() => rmSync(project, { recursive: true }));

const PAGE = 'web/dist/index.html';
const VITE = `const fs = require('node:fs');
if (fs.existsSync('web/broken')) process.exit(1);
fs.mkdirSync('web/dist', { recursive: true });
fs.writeFileSync('${PAGE}', 'built');`;

/** Seconds since 1970: npm installed at 200, and the page was built at 300. */
function write(path: string, text: string, time: number): void {
  const full = join(project, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  utimesSync(full, time, time);
}

function run(...command: readonly [program: string, ...args: string[]]) {
  const [program, ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, encoding: 'utf8' });
  return { status, stdout, built: stderr.includes('building the explorer'), stderr };
}

const bootstrap = () => run(process.execPath, 'scripts/bootstrap.js');
const program = () => run('./tidemark');

beforeEach(() => {
  rmSync(project, { recursive: true });
  for (const path of ['tidemark', 'scripts/bootstrap.js', 'scripts/process-settings.sh'])
    cpSync(join(root, path), join(project, path));
  write('package.json', '{ "type": "module" }', 100);
  write('package-lock.json', '{}', 100);
  write('scripts/launch.js', "process.stdout.write('launched');", 100);
  write('node_modules/.package-lock.json', '{}', 200);
  write('node_modules/vite/bin/vite.js', VITE, 200);
  write('node_modules/vite/package.json', '{ "type": "commonjs" }', 200);
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'));
  write('web/index.html', '', 100);
  write('web/src/screener/table.tsx', '', 100);
  write('client/src/index.ts', '', 100);
  write('src/common/typed-number.ts', '', 100);
  write(PAGE, 'old', 300);
});

for (const [name, start] of Object.entries({ 'scripts/bootstrap.js': bootstrap, './tidemark': program })) {
  describe(`${name} builds the page`, () => {
    it('when there is none', () => {
      rmSync(join(project, 'web/dist'), { recursive: true });
      assert.equal(start().built, true);
      assert.ok(existsSync(join(project, PAGE)));
    });

    it('when a source is newer, however deep, and then not again', () => {
      write('web/src/screener/table.tsx', 'changed', 400);
      assert.deepEqual([start().built, start().built], [true, false]);
    });

    for (const [what, path] of [
      ['the client', 'client/src/index.ts'],
      ['src/common', 'src/common/typed-number.ts'],
    ] as const) {
      it(`when a source of ${what} is newer, which the page contains`, () => {
        write(path, 'changed', 400);
        assert.deepEqual([start().built, start().built], [true, false]);
      });
    }

    it('not when all sources are older, whatever else was written beside it', () => {
      write('web/dist/app/index-abc.js', '', 400);
      assert.equal(start().built, false);
    });
  });
}

describe('the installation', () => {
  /** An npm that writes down what it was asked for, and installs what the arguments promise. */
  const NPM = `#!/bin/sh
echo "$*" >> asked
case "$*" in *--omit=dev*) ;; *) mkdir -p node_modules/typescript ;; esac
echo '{}' > node_modules/.package-lock.json
`;
  const asked = () => readFileSync(join(project, 'asked'), 'utf8').trim().split('\n');
  const install = (...args: readonly string[]) => {
    const PATH = `${join(project, 'bin')}:${process.env['PATH']}`;
    return spawnSync(process.execPath, ['scripts/bootstrap.js', ...args], {
      cwd: project,
      env: { ...process.env, PATH },
    });
  };
  beforeEach(() => {
    write('bin/npm', NPM, 100);
    chmodSync(join(project, 'bin/npm'), 0o755);
    rmSync(join(project, 'node_modules/.package-lock.json'));
  });

  it('leaves out the packages for tests and benchmarks, until a development command needs them', () => {
    for (const args of [[], [], ['--dev'], ['--dev'], []]) assert.equal(install(...args).status, 0);
    assert.deepEqual(
      asked().map(words => words.includes('--omit=dev')),
      [true, false],
    );
  });

  it('keeps them when the lock file changes', () => {
    mkdirSync(join(project, 'node_modules/typescript'), { recursive: true });
    assert.equal(install().status, 0);
    assert.deepEqual(
      asked().map(words => words.includes('--omit=dev')),
      [false],
    );
  });
});

it('the program starts with the page that it built', () => {
  write('web/index.html', 'changed', 400);
  assert.equal(program().stdout, 'launched');
});

it('a page that cannot be built ends the start, and says what to do', () => {
  write('web/broken', '', 400);
  const { status, stdout, stderr } = program();
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /could not build the explorer.* Mend web\/ and run the command again\./);
});

describe('two commands at once', () => {
  it('do not make the clone ready twice', async () => {
    write('web/src/screener/table.tsx', 'changed', 400);
    write(
      'node_modules/vite/bin/vite.js',
      `${VITE}\nfs.appendFileSync('builds', 'x');\nsetTimeout(() => {}, 300);`,
      200,
    );
    const commands = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['scripts/bootstrap.js'], { cwd: project }),
    );
    const codes = await Promise.all(commands.map(async command => (await once(command, 'close'))[0]));
    assert.deepEqual([codes, readFileSync(join(project, 'builds'), 'utf8')], [[0, 0, 0], 'x']);
    assert.equal(existsSync(join(project, '.installing')), false);
  });

  it('do not wait for one that was killed', () => {
    const killed = spawnSync(process.execPath, ['-e', '']);
    write('.installing', String(killed.pid), 400);
    write('web/src/screener/table.tsx', 'changed', 400);
    assert.deepEqual([bootstrap().built, existsSync(join(project, '.installing'))], [true, false]);
  });
});
