// Bundles src/mcp/sdk.ts with the packages that it needs into one module, and writes their licenses beside it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

export async function bundleSdk(folder: string): Promise<void> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // For Node, and with everything that Node itself does not have.
    ssr: { noExternal: true },
    build: {
      ssr: 'src/mcp/sdk.ts',
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'sdk.js', codeSplitting: false } },
    },
  });
  if (!('output' in built)) throw new TypeError('vite watches instead of building');
  const [{ moduleIds }] = built.output;
  const packages = new Set(moduleIds.flatMap(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const licenses = [...packages].sort().map(path => {
    const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, string>; // a manifest
    return `${name} ${version}\n\n${readFileSync(join(path, 'LICENSE'), 'utf8')}`;
  });
  writeFileSync(join(folder, 'sdk.js.LICENSE.txt'), licenses.join('\n\n'));
}
