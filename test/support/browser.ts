// A real Chromium for the tests of the pages: the one of the machine, or Debian's, installed when there is none.

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Nothing that would make it talk to anybody else, and what a container lacks. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: findBrowser() ?? installBrowser(), headless: true, args: FLAGS });
}

/** Path of the program, or null. */
function findBrowser(): string | null {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return folders.flatMap(folder => NAMES.map(name => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installBrowser(): string {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'];
  for (const command of [['apt-get', 'update'], install]) {
    const [program = '', ...args] = [...asRoot, ...command];
    spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  }
  const installed = findBrowser();
  if (installed !== null) return installed;
  throw new Error(
    'The browser tests need Chromium, and apt-get could not install it. Install it, or set CHROMIUM to its path.',
  );
}
