// A real Chromium for the tests of the pages: the one of the machine, or Debian's, installed when there is none.

import { type Browser, chromium } from 'playwright-core';
import { findProgram, installPackage } from './debian-program.ts';

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
  return process.env['CHROMIUM'] || findProgram(NAMES);
}

function installBrowser(): string {
  installPackage('chromium');
  const installed = findBrowser();
  if (installed !== null) return installed;
  throw new Error(
    'The browser tests need Chromium, and apt-get could not install it. Install it, or set CHROMIUM to its path.',
  );
}
