// Builds the client into client/dist: one minified module with a source map, and its types. `npm run build:client`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

export async function buildClient(dist: string): Promise<void> {
  await build({
    root: join(root, 'client'),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      minify: true,
      sourcemap: true,
      lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index' },
    },
  });
  const types = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--incremental', 'false'];
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'client', ...types, '--outDir', dist], {
    cwd: root,
    encoding: 'utf8',
  });
  if (tsc.status !== 0) throw new Error(`the types of the client could not be built:\n${tsc.stdout}${tsc.stderr}`);
}

if (import.meta.main) await buildClient(join(root, 'client/dist'));
