// A real Chromium for the tests of the pages: the one of the machine, or Debian's, installed when there is none.

import { type Browser, chromium } from 'playwright-core';
import { requireProgram } from './debian-program.ts';

const CHROMIUM = {
  title: 'Chromium',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  package: 'chromium',
  variable: 'CHROMIUM',
};
/** No contact with other hosts, and no dependence on what a container lacks. */
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
  return await chromium.launch({ executablePath: requireProgram(CHROMIUM), headless: true, args: FLAGS });
}
