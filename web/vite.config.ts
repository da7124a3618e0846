// Builds the explorer into web/dist: index.html, and beside it only app/ with hashed names that a browser may keep for ever.
//
// While you work on the page: `./tidemark serve --demo` in one terminal, `npm run dev` in another.

import { defineConfig } from 'vite';

const service = process.env['TIDEMARK_URL'] ?? 'http://127.0.0.1:8080';
const proxy = { '/v1': service, '/docs': service };

export default defineConfig({
  root: import.meta.dirname,
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
