// The client as it is published: its size, its types as a strict project sees them, and its examples.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildClient } from '../../scripts/build-client.ts';
import { clientTypes } from '../../scripts/client-types.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const client = join(root, 'client');
const read = (path: string) => readFileSync(join(client, path), 'utf8');

/** A project of its own that has installed the package. */
const project = mkdtempSync(join(tmpdir(), 'tidemark-client-'));
const installed = join(project, 'node_modules/@tidemark/client');
const built = (name: string) => readFileSync(join(installed, 'dist', name), 'utf8');
let demo: DemoServer;
before(async () => {
  await buildClient(join(installed, 'dist'));
  cpSync(join(client, 'package.json'), join(installed, 'package.json'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  demo = await startDemo();
});
after(async () => {
  await demo.close();
  rmSync(project, { recursive: true });
});

describe('the types of the API', () => {
  it('are what the catalogue and the OpenAPI document say (npm run docs writes them)', () => {
    assert.equal(read('src/types.ts'), clientTypes());
  });

  it('compile in a strict project that has only the package', async () => {
    const program = `import { ApiError, Tidemark, where } from '@tidemark/client';
const tidemark = new Tidemark({ url: 'http://127.0.0.1:8080' });
for await (const row of tidemark.listing({ where: where\`price > \${1}\`, excl_cols: 'sma5' })) {
  const price: number = row.price;
  // @ts-expect-error: left out
  row.sma5;
  void price;
}
export const isGone = (error: unknown) => error instanceof ApiError && error.code === 'unknown_asset';
`;
    writeFileSync(join(project, 'program.ts'), program);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    await run(join(root, 'node_modules/.bin/tsc'), [...options, 'program.ts'], { cwd: project });
  });
});

describe('the built file', () => {
  it('is smaller than 8 kB with gzip', () => {
    const { length } = gzipSync(built('index.js'));
    assert.ok(length < 8000, `${length} bytes`);
  });

  it('imports nothing', () => {
    assert.doesNotMatch(built('index.js'), /\bimport\b|\brequire\(/);
    assert.equal('dependencies' in JSON.parse(read('package.json')), false);
  });

  it('has a source map', () => {
    const map = JSON.parse(built('index.js.map')) as { sources: string[]; sourcesContent: string[] };
    assert.ok(map.sources.some(source => source.endsWith('src/tidemark.ts')));
    assert.equal(map.sourcesContent.length, map.sources.length);
  });
});

describe('the example', () => {
  /** What each prints of the simulated market of a fixed day. */
  const PRINTS: Readonly<Record<string, RegExp>> = {
    'screen.js': /^(?:\S+ [\d.]+ 1\.\d+ [\d.]+\n){2,}$/,
    'history.js': /^\w.*: 181 days\n$/,
    'one-asset.js':
      /: sma20 = mean.* \(exactly [\d.]+\)\nclose of the week: [\d.]+\nmedian volatility of \d+ assets: [\d.]+ %\nunknown_asset: /,
  };

  for (const name of readdirSync(join(client, 'examples'))) {
    it(`${name} runs`, async () => {
      cpSync(join(client, 'examples', name), join(project, name));
      const env = { ...process.env, TIDEMARK_URL: demo.url, TIDEMARK_API_KEY: '' };
      const { stdout } = await run(process.execPath, [name], { cwd: project, env });
      assert.match(stdout, PRINTS[name] ?? /a$^/);
    });
  }

  it('of the README is one of them', () => {
    const program = read('examples/screen.js').replace(/^\/\/.*\n\n/, '');
    assert.ok(read('README.md').includes(program));
  });
});
