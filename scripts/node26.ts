// Runs the HTTP and store suites on Node.js 26, which npm installs beside the project's own: `npm run test:node26`. Not a part of
// `npm test`, because it would double its time. Where npm has no such Node, it says so and ends well.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '26.10.0';
const SUITES = ['test/http', 'test/contract', 'src/http', 'src/api', 'src/store', 'src/serve'];

const root = join(import.meta.dirname, '..');
const name = `node-${process.platform}-${process.arch}`;
const folder = join(root, 'node_modules/.cache/node26');
const node = join(folder, 'node_modules', name, 'bin/node');

if (!isVersion()) {
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', [...args, `${name}@${VERSION}`], { stdio: ['ignore', 'ignore', 'inherit'] });
}
if (isVersion()) {
  const words = process.argv.slice(2);
  const suites = words.length === 0 ? SUITES : words;
  const { status } = spawnSync(node, [join(root, 'scripts/test.ts'), ...suites], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.log(`skipped: npm cannot install ${name}@${VERSION} here`);
}

function isVersion(): boolean {
  return existsSync(node) && spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout === `v${VERSION}\n`;
}
