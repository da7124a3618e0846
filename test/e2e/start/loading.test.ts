import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');

/** What a fresh process has loaded with a file of the program: the program's own files, and parts of Node. */
function loadedWith(file: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const files = [];
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
    await import(${JSON.stringify(join(root, file))});
    console.log(JSON.stringify([...files, ...process.moduleLoadList]));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return JSON.parse(stdout) as string[]; // written above
}

describe('what a start loads', () => {
  for (const [file, what, unwanted] of [
    ['src/cli/cli.ts', 'no command that was not asked for', /\/src\/cli\/(serve|ingest|backup|verify)\.ts$/],
    ['src/cli/serve.ts', 'no source of prices', /\/src\/ingest\/\w+\//],
    ['src/cli/serve.ts', 'no database driver', /\/src\/store\/(sqlite|postgres)\//],
    ['src/http/server.ts', 'no HTTP client', /undici/],
  ] as const) {
    it(`${file}: ${what}`, () => {
      const loaded = loadedWith(file);
      assert.ok(loaded.some(name => name.endsWith(file)));
      assert.deepEqual(
        loaded.filter(name => unwanted.test(name)),
        [],
      );
    });
  }
});
