// Makes the npm packages: `npm run package` writes package/tidemark-VERSION.tgz and package/tidemark-client-VERSION.tgz.
//
// Node refuses to strip types below node_modules, so the package has compiled JavaScript. It is laid out as the clone is, so that every
// path in the program stays the same.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildClient } from './build-client.ts';
import { bundleSdk } from './bundle-sdk.ts';

const root = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Copied into the package, because the rest of it is six times as large, and one of its dependencies runs a script when it is installed. */
const SWAGGER_UI = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

/** Lays out both packages in the folder, which is emptied first, and packs them. Returns the paths of the files. */
export async function makePackages(folder: string): Promise<{ program: string; client: string }> {
  rmSync(folder, { recursive: true, force: true });
  const staging = join(folder, 'tidemark');
  run('node_modules/.bin/vite', 'build', 'web', '--logLevel', 'warn', '--outDir', join(staging, 'web/dist'));
  run('node_modules/.bin/tsc', '-p', 'scripts/package.tsconfig.json', '--outDir', join(staging, 'src'));
  await bundleSdk(join(staging, 'src/mcp'));
  rmSync(join(staging, 'src/mcp/sdk.js.map'));
  const scripts = globSync('src/**/*.js', { cwd: root });
  for (const file of [...scripts, 'scripts/launch.js']) copyScript(staging, file);
  for (const file of globSync('src/**/*.{json,css,svg}', { cwd: root })) copy(staging, file);
  for (const file of ['scripts/process-settings.sh', 'README.md', 'CHANGELOG.md', 'LICENSE']) copy(staging, file);
  copy(staging, 'scripts/package-bin.sh', 'bin/tidemark');
  for (const file of SWAGGER_UI) copy(staging, `node_modules/swagger-ui-dist/${file}`, `swagger-ui/${file}`);
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const client = join(folder, 'client');
  for (const file of ['package.json', 'README.md']) copy(client, `client/${file}`, file);
  copy(client, 'LICENSE');
  await buildClient(join(client, 'dist'));
  return { program: pack(folder, staging), client: pack(folder, client) };
}

function manifest() {
  const { name, version, description, license, type, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  const { ccxt, 'swagger-ui-dist': _, '@modelcontextprotocol/server': __, ...others } = dependencies;
  return {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    bin: { tidemark: 'bin/tidemark' },
    imports: { '#swagger-ui/*': './swagger-ui/*' },
    files: ['bin', 'scripts', 'src', 'swagger-ui', 'web', 'CHANGELOG.md'],
    dependencies: others,
    peerDependencies: { ccxt: `^${ccxt}` },
    peerDependenciesMeta: { ccxt: { optional: true } },
  };
}

function copy(folder: string, from: string, to = from): void {
  const target = join(folder, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, from), target);
}

/** A script names modules of src/ by their ending, which is another one here. */
function copyScript(folder: string, file: string): void {
  copy(folder, file);
  const text = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(folder, file), text.replace(/(\bimport\('\.[^']*)\.ts'\)/g, "$1.js')"));
}

function pack(folder: string, from: string): string {
  const [{ filename }] = JSON.parse(run('npm', 'pack', from, '--json', '--pack-destination', folder));
  return join(folder, filename);
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${error ?? stdout + stderr}`);
  return stdout;
}

if (import.meta.main) {
  const { program, client } = await makePackages(join(root, 'package'));
  process.stdout.write(`${program}\n${client}\n`);
}
