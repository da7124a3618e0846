// Builds the explorer into web/dist: index.html, and beside it only app/ with hashed names that a browser may keep for ever.
//
// While you work on the page: `./tidemark serve --demo` in one terminal, `npm run dev` in another.

import { readdirSync, readFileSync } from 'node:fs';
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

const NOTICES = 'third-party-notices.txt';

/** The licences of the packages inside the scripts, which ask that copies carry them: a file that the page names. */
function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    buildEnd() {
      if (this.environment.mode !== 'build') return;
      const folders = [...this.getModuleIds()].flatMap(
        id => /^\0?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
      );
      const source = [...new Set(folders)]
        .sort()
        .map(noticeOf)
        .join(`\n\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', name: NOTICES, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const built = Object.values(bundle ?? {}).find(file => file.type === 'asset' && file.names.includes(NOTICES));
        return built && [{ tag: 'link', attrs: { rel: 'license', href: `/${built.fileName}` }, injectTo: 'head' }];
      },
    },
  };
}

function noticeOf(folder: string): string {
  // Every package has these, by npm's rules.
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim());
  // A package without such a file states its licence and its author only.
  const by = texts.length === 0 ? `, by ${author}` : '';
  return [`${name} ${version}, licence ${license}${by}`, ...texts].join('\n\n');
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [earlyScript('src/shell/early-theme.js'), thirdPartyNotices()],
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
