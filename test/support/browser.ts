// A real Chromium for the tests of the pages: the one of the machine, or Debian's, installed when there is none.

import { type Browser, chromium } from 'playwright-core';
import { findOrInstall, type Program, requireProgram } from './debian-program.ts';

/** The same engine without windows around the pages: a test takes less than half of the time. */
const HEADLESS_SHELL: Program = {
  title: 'the headless shell of Chromium',
  names: ['chromium-headless-shell'],
  package: 'chromium-headless-shell',
  variable: 'CHROMIUM',
};
const CHROMIUM: Program = {
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

/** Fewer processes and threads, of which tests have enough, and text that is drawn in fewer steps. */
const FEW_PROCESSES = [
  '--in-process-gpu',
  '--no-zygote',
  '--renderer-process-limit=1',
  '--num-raster-threads=1',
  '--js-flags=--single-threaded',
  '--disable-lcd-text',
  '--font-render-hinting=none',
];

export function openBrowser(): Promise<Browser> {
  const shell = findOrInstall(HEADLESS_SHELL);
  return shell === null ? openChromium() : launch(shell, FEW_PROCESSES);
}

/** The browser that people use, with its windows. */
export function openChromium(): Promise<Browser> {
  return launch(requireProgram(CHROMIUM));
}

function launch(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] });
}
