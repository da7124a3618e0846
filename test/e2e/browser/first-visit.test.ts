import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { expectRows, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function enter(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
  await button(page, 'Use this API key').click();
}

describe('the first visit', () => {
  it('starts at once in the demo, which says that its prices are simulated', async () => {
    const page = await site.open('/');
    await expectRows(page, await site.rows('sort=rank&order=asc'));
    await page.getByText('all prices are simulated').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('asks for a key elsewhere, says what is wrong with a wrong one, and keeps a good one for this tab only', async () => {
    const page = await site.open('/?sort=vol30&order=desc', {}, 'keys');
    await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
    assert.equal(await page.locator(':focus').getAttribute('id'), 'key');
    const command = await page.getByRole('dialog').locator('code').innerText();
    assert.match(command, /tidemark keys create --tier pro --name me --store sqlite:\S+keys\.db$/);
    await page.keyboard.press('Escape');
    assert.ok(await page.getByRole('dialog').isVisible());
    await enter(page, DEMO_KEYS.pro.replace(/.$/, '?'));
    await page.getByRole('alert').filter({ hasText: 'Mistyped API key' }).waitFor();
    await enter(page, DEMO_KEYS.pro);
    await expectRows(page, await site.rows('sort=vol30&order=desc'));

    await page.reload();
    await expectRows(page, await site.rows('sort=vol30&order=desc'));
    assert.equal(
      await page.evaluate('JSON.stringify([sessionStorage.length, localStorage.length, document.cookie])'),
      '[1,0,""]',
    );
    const otherTab = await page.context().newPage();
    await otherTab.goto(page.url());
    await otherTab.getByRole('dialog').waitFor();

    await button(page, 'Remove API key').click();
    await page.getByRole('dialog').waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
  });

  it('never writes one’s own key into a snippet', async () => {
    const page = await site.open('/', {}, 'keys');
    await enter(page, DEMO_KEYS.pro);
    await tickers(page, 1);
    await button(page, 'Export').click();
    for (const name of ['URL', 'curl', 'Python', 'TypeScript', 'DuckDB']) {
      await page.getByRole('tab', { name, exact: true }).click();
      assert.doesNotMatch((await page.getByRole('tabpanel').textContent()) ?? '', /tdm_/);
    }
  });
});

describe('a free key', () => {
  it('turns pages of five rows, says why, and keeps to its rate', async () => {
    const page = await site.open('/?sort=symbol&order=asc', {}, 'keys');
    await enter(page, DEMO_KEYS.free);
    const rows = await site.rows('sort=symbol&order=asc&limit=1000');
    await expectRows(page, rows, 5);
    await page.getByText('The tier of your API key gives 5 rows per page').waitFor();
    await page.getByText(`Page 1 of ${Math.ceil(rows.length / 5)}`).waitFor();
    for (let turn = 2; turn <= 6; turn++) {
      await button(page, 'Next').click();
      await expectRows(page, rows.slice((turn - 1) * 5), 5);
    }
    assert.equal(new URL(page.url()).searchParams.get('page'), '6');
    assert.equal(await page.locator('tbody tr').count(), 5);
    assert.equal(await page.getByRole('alert').count(), 0);
  });
});

describe('an error', () => {
  function problem(status: number, code: string, title: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ error: true, status, code, title, detail: `${title}, says the service.` });
    return (route: Route) => route.fulfill({ status, headers, contentType: 'application/problem+json', body });
  }

  const cases: readonly [name: string, (route: Route) => Promise<void>, says: RegExp, action: string][] = [
    ['401', problem(401, 'revoked_key', 'Revoked key'), /Revoked key.*Ask the operator/, 'Enter an API key'],
    ['429', problem(429, 'quota_exceeded', 'Daily quota used up', { 'retry-after': '7200' }), /in 2 hours/, 'Retry'],
    [
      '503',
      problem(503, 'not_ready', 'Not ready', { 'retry-after': '60' }),
      /no data yet.*retries automatically/,
      'Retry',
    ],
    ['500', problem(500, 'internal', 'Internal error'), /The service failed/, 'Retry'],
    ['no answer', route => route.abort(), /does not answer.*Check your connection/, 'Retry'],
  ];
  for (const [name, answer, says, action] of cases) {
    it(`(${name}) is shown with what to do, and ends when the service is well again`, async () => {
      const page = await site.open('/');
      await tickers(page, 1);
      await page.route('**/v1/crypto/ta-cur*', answer);
      await button(page, 'Volatility 30d').click();
      const alert = page.getByRole('alert').filter({ hasText: says });
      await alert.waitFor();
      await page.unroute('**/v1/crypto/ta-cur*');
      await alert.getByRole('button', { name: action }).click();
      if (action === 'Enter an API key') await enter(page, DEMO_KEYS.pro);
      await expectRows(page, await site.rows('sort=vol30&order=desc'));
      assert.equal(await page.getByRole('alert').count(), 0);
    });
  }

  it('that a short wait mends is waited for, without a word of alarm', async () => {
    const page = await site.open('/');
    await tickers(page, 1);
    await page.route(
      '**/v1/crypto/ta-cur*',
      problem(429, 'rate_limited', 'Too many requests', { 'retry-after': '1' }),
      {
        times: 1,
      },
    );
    await button(page, 'Volatility 30d').click();
    await page.getByText('waiting for the rate limit').waitFor();
    await expectRows(page, await site.rows('sort=vol30&order=desc'));
    await waitFor(async () => assert.equal(await page.getByText('waiting for the rate limit').count(), 0));
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('for an address that is no page leads back', async () => {
    const page = await site.open('/');
    await page.evaluate("history.pushState(null, '', '/asset/a/b'); dispatchEvent(new PopStateEvent('popstate'))");
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('for a path that the server does not have is a page, with status 404 and without a request for an API key', async () => {
    const page = await site.open('/', {}, 'keys');
    const response = await page.goto(new URL('/charts/btc', page.url()).href);
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('link', { name: 'screener', exact: true }).click();
    await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
  });
});

it('did nothing but talk to its own service, with the key in a header, within its content policy', () => {
  site.assertNoMisdeeds();
});
