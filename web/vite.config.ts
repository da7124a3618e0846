// Builds the explorer into web/dist: index.html, and beside it only app/ with hashed names that a browser may keep for ever.
//
// While you work on the page: `./tidemark serve --demo` in one terminal, `npm run dev` in another.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const service = process.env['TIDEMARK_URL'] ?? 'http://127.0.0.1:8080';
const proxy = { '/v1': service, '/docs': service };

/** A script in the head that runs before the first paint; Vite itself only knows modules, which run later. */
function earlyScript(source: string): Plugin {
  const name = basename(source);
  return {
    name: 'early-script',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const built = Object.values(bundle ?? {}).find(file => file.type === 'asset' && file.names.includes(name));
        return [{ tag: 'script', attrs: { src: `/${built?.fileName ?? source}` }, injectTo: 'head' }];
      },
    },
    buildStart() {
      if (this.environment.mode !== 'build') return;
      this.emitFile({ type: 'asset', name, source: readFileSync(join(import.meta.dirname, source), 'utf8') });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [earlyScript('src/shell/early-theme.js')],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'app',
    target: 'es2023',
    // A data: address would be a second way to load a file; one is enough.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy },
  preview: { proxy },
});
