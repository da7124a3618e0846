// First-time visitors for the tests of one file. A new browser context starts a process that compiles the scripts of the page again. So a
// context is used by one visitor after the other, and forgets each.

import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

interface Visitor {
  readonly origin: string;
  readonly context: BrowserContext;
  /** A page that stays open, because the process ends with its last page. */
  readonly staying: Page;
  readonly session: CDPSession;
}

export class Visitors {
  readonly #browser: Browser;
  readonly #here = new Map<BrowserContext, Visitor>();
  readonly #gone: Visitor[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  has(context: BrowserContext): boolean {
    return this.#here.has(context) || this.#gone.some(visitor => visitor.context === context);
  }

  /** The context of one who has never been at `origin`, or of one who has been there in an earlier test and was forgotten. */
  async take(origin: string): Promise<BrowserContext> {
    const at = this.#gone.findIndex(visitor => visitor.origin === origin);
    const visitor = this.#gone.splice(at, at < 0 ? 0 : 1)[0] ?? (await this.#arrive(origin));
    this.#here.set(visitor.context, visitor);
    return visitor.context;
  }

  async #arrive(origin: string): Promise<Visitor> {
    const context = await this.#browser.newContext();
    const staying = await context.newPage();
    await staying.goto(`${origin}/healthz`);
    return { origin, context, staying, session: await context.newCDPSession(staying) };
  }

  /** Closes the pages of all who are here, and forgets what they stored, cached and permitted. */
  async leave(): Promise<void> {
    const leaving = [...this.#here.values()];
    await Promise.all(leaving.map(forget));
    this.#here.clear();
    this.#gone.push(...leaving);
  }
}

async function forget({ origin, context, staying, session }: Visitor): Promise<void> {
  await Promise.all(context.pages().map(page => (page === staying ? undefined : page.close())));
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    session.send('Network.clearBrowserCache'),
    context.clearPermissions(),
  ]);
}
