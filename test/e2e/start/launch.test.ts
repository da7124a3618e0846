import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-launch-'));
after(() => rmSync(folder, { recursive: true }));

describe('the launcher', () => {
  it('says in one line that a Node is too old', () => {
    const older = join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });");
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', older, join(root, 'scripts/launch.js')], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^tidemark: needs Node\.js 24 or newer, but this is 20\.20\.2\. .*\n$/);
  });

  it('and the installer use no syntax that an old Node cannot parse', () => {
    const launcher = readFileSync(join(root, 'scripts/launch.js'), 'utf8');
    assert.doesNotMatch(launcher, /=>|\?\.|\?\?|`|\b(const|let|await|class)\b/);
    const installer = readFileSync(join(root, 'scripts/bootstrap.js'), 'utf8');
    assert.doesNotMatch(installer, /\?\.|\?\?|\bawait\b|import\.meta\.dirname/);
  });

  it('runs the program through a link from another folder, on the project’s own Node', () => {
    const link = join(folder, 'tidemark');
    symlinkSync(join(root, 'tidemark'), link);
    const { status, stdout } = spawnSync(link, ['--version'], { cwd: folder, encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal(status, 0);
    assert.equal(stdout, `tidemark ${version}\n`);
  });

  /** A variable as the program has it. */
  function seen(variable: string, command: string, env: NodeJS.ProcessEnv): string {
    return evaluated(`process.env.${variable}`, command, env);
  }

  /** An expression as the program would evaluate it. */
  function evaluated(expression: string, command: string, env: NodeJS.ProcessEnv): string {
    const look = join(folder, 'look.cjs');
    writeFileSync(look, `process.stderr.write(${expression});`);
    const all = { ...process.env, NODE_OPTIONS: `--require=${look}`, ...env };
    return spawnSync(join(root, 'tidemark'), [command, '--help'], { env: all, encoding: 'utf8' }).stderr;
  }

  for (const [command, given, expected] of [
    ['ingest', undefined, '16384'],
    ['serve', undefined, '8192'],
    ['serve', '1000000', '1000000'],
  ] as const) {
    it(`has large blocks go back to the system, for ${command} from ${expected} bytes on where ${given ?? 'nothing'} is set`, () =>
      assert.equal(seen('MALLOC_MMAP_THRESHOLD_', command, { MALLOC_MMAP_THRESHOLD_: given }), expected));
  }

  for (const [cores, given, expected] of [
    ['1', undefined, '1'],
    ['4', undefined, '1'],
    ['5', undefined, '2'],
    ['64', '3', '3'],
  ] as const) {
    it(`has ${expected} heaps of small blocks on ${cores} cores where ${given ?? 'nothing'} is set`, () => {
      writeFileSync(join(folder, 'nproc'), `#!/bin/sh\necho ${cores}\n`, { mode: 0o755 });
      const path = `${folder}:${process.env['PATH']}`;
      assert.equal(seen('MALLOC_ARENA_MAX', 'serve', { PATH: path, MALLOC_ARENA_MAX: given }), expected);
    });
  }

  for (const [command, cores, expected] of [
    ['serve', '2', '1'],
    ['serve', '8', '2'],
    ['ingest', '8', '4'],
  ] as const) {
    it(`leaves ${expected} threads to V8 for ${command} on ${cores} cores`, () => {
      writeFileSync(join(folder, 'nproc'), `#!/bin/sh\necho ${cores}\n`, { mode: 0o755 });
      const options = evaluated('process.execArgv.join(" ")', command, { PATH: `${folder}:${process.env['PATH']}` });
      assert.match(options, new RegExp(`--v8-pool-size=${expected}$`));
      assert.equal(options.includes('--no-parallel-scavenge'), command === 'serve');
    });
  }

  it('has the same settings in a container as everywhere', () => {
    const script = readFileSync(join(root, 'deploy/tidemark-in-container'), 'utf8');
    assert.match(script, /^\. \/app\/scripts\/process-settings\.sh\n(?:export .*\n)?exec node \$node_options /m);
  });
});
