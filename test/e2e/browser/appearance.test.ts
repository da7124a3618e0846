import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { audit } from './audit.ts';
import { firstLoad, namedFiles, noticesFile, pageText } from './first-load.ts';
import { Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the screener': async () => {},
  'the filter panel': page => button(page, 'Filters 2 in force').click(),
  'the column chooser': page => button(page, 'Columns').click(),
  'saved screens': page => button(page, 'Saved').click(),
  'the export panel': page => button(page, 'Export').click(),
};

describe('an audit by axe finds nothing', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`in the screener and its panels, ${colorScheme}`, async () => {
      // A few rows stand for all: axe looks at every cell.
      const viewport = { width: 1280, height: 500 };
      const page = await site.open('/?where=sma50%20%3E%20sma200%20and%20price%20%3C%3D%205', {
        colorScheme,
        viewport,
      });
      for (const [name, reach] of Object.entries(STATES)) {
        await tickers(page, 1);
        await reach(page);
        assert.deepEqual(await audit(page, colorScheme), [], name);
      }
    });

    it(`in the key dialog and in an error, ${colorScheme}`, async () => {
      const page = await site.open('/', { colorScheme }, 'keys');
      await page.getByRole('textbox', { name: 'API key' }).fill('tdm_wrong');
      await button(page, 'Use this API key').click();
      await page.getByText('Mistyped API key').waitFor();
      assert.deepEqual(await audit(page, colorScheme), []);

      const prepare = (each: Page) => each.route('**/ta-cur?*', route => route.abort());
      const failed = await site.open('/', { colorScheme, prepare });
      await failed.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
      assert.deepEqual(await audit(failed, colorScheme), []);
    });
  }

  it('on a phone', async () => {
    const page = await site.open('/?where=price%20%3E%3D%201', { viewport: { width: 390, height: 844 } });
    await tickers(page, 1);
    assert.deepEqual(await audit(page), []);
  });
});

describe('on a narrow screen', () => {
  for (const width of [320, 768]) {
    it(`of ${width} pixels only the table scrolls sideways, and its first column stays`, async () => {
      const page = await site.open('/?where=price%20%3E%3D%201%20and%20sma50%20%3E%20sma200', {
        viewport: { width, height: 800 },
      });
      await tickers(page, 1);
      for (const name of ['Filters 2 in force', 'Columns', 'Saved', 'Export']) {
        await button(page, name).click();
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
      }
      await button(page, 'Export').click();
      const cell = page.locator('tbody th').first();
      const before = await cell.boundingBox();
      await page.evaluate("document.querySelector('.table-region').scrollLeft = 300");
      assert.ok(Number(await page.evaluate("document.querySelector('.table-region').scrollLeft")) > 100);
      assert.deepEqual(await cell.boundingBox(), before);
      assert.ok((before?.height ?? 0) <= 32);
    });
  }
});

describe('on the narrowest phone', () => {
  it('every button that opens a panel is within sight, also the one that shares', async () => {
    const page = await site.open('/', { viewport: { width: 320, height: 640 } });
    await tickers(page, 1);
    const share = (await button(page, 'Share').boundingBox())!;
    assert.ok(share.x + share.width <= 320, `Share ends at ${share.x + share.width}`);
  });

  it('computed columns stand before the long list of columns', async () => {
    const page = await site.open('/', { viewport: { width: 320, height: 640 } });
    await button(page, 'Columns').click();
    const first = await page.locator('#columns-panel legend').first().innerText();
    assert.equal(first, 'Computed columns');
  });
});

describe('right to left', () => {
  it('the table is mirrored, its first column stays, and signs stand before their numbers', async () => {
    const page = await site.open('/?cols=change1,price', { viewport: { width: 700, height: 600 } });
    await tickers(page, 1);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 700);
    const [first, second] = await Promise.all(
      ['tbody th', 'tbody td'].map(async name => (await page.locator(name).first().boundingBox())!),
    );
    assert.ok(first!.x > second!.x);
    const direction = await page.evaluate("getComputedStyle(document.querySelector('tbody td')).direction");
    assert.equal(direction, 'ltr');
    assert.deepEqual(await audit(page), []);
  });
});

describe('numbers', () => {
  it('are written as in the language of the browser, or plainly', async () => {
    const page = await site.open('/?sort=price&order=desc&cols=price', { locale: 'de-DE' });
    await tickers(page, 1);
    const cell = page.locator('tbody td').first();
    assert.match((await cell.textContent())!, /^\d{1,3}\.\d{3},\d$|^\d{1,3}\.\d{3}$/);
    await page.getByRole('button', { name: 'write plain numbers' }).click();
    await waitFor(async () => assert.match((await cell.textContent())!, /^\d+(\.\d)?$/));
    await page.reload();
    await tickers(page, 1);
    assert.match((await cell.textContent())!, /^\d+(\.\d)?$/);
  });
});

describe('light and dark', () => {
  const background = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');

  it('follow the system, until the person chooses', async () => {
    const page = await site.open('/', { colorScheme: 'light' });
    const light = await background(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await waitFor(async () => assert.notEqual(await background(page), light));
    await button(page, 'Switch to light colours').click();
    assert.equal(await background(page), light);
    await page.reload();
    await button(page, 'Switch to dark colours').waitFor();
    assert.equal(await background(page), light);
  });

  it('are there before the page’s own script, so that nothing flashes', async () => {
    const prepare = async (page: Page) => {
      await page.addInitScript("localStorage.setItem('tidemark-theme', 'dark')");
      await page.route('**/app/index-*.js', route => route.abort());
    };
    const page = await site.open('/', { colorScheme: 'light', prepare });
    assert.equal(await background(page), 'rgb(13, 19, 24)');
  });
});

describe('the first load', () => {
  it('takes less than 90 kB, compressed', () => {
    const files = firstLoad();
    const size = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    assert.ok(files.length >= 4, 'the page names a script, a style sheet and an icon');
    assert.ok(size < 90_000, `${size} bytes`);
  });

  it('is all that the screener asks for, besides the API', async () => {
    const asked: string[] = [];
    const prepare = async (each: Page) => {
      each.on('request', request => asked.push(new URL(request.url()).pathname));
    };
    await tickers(await site.open('/', { prepare }), 1);
    const named = namedFiles();
    assert.deepEqual(
      asked.filter(path => path !== '/' && path !== '/readyz' && !path.startsWith('/v1/') && !named.includes(path)),
      [],
    );
  });

  it('names a file with the licences of what its scripts contain', async () => {
    const notices = noticesFile();
    for (const wanted of [
      /^preact \d/m,
      /^@preact\/signals \d/m,
      /^@preact\/signals-core \d/m,
      /^lightweight-charts \d/m,
      /Copyright \(c\) 2015-present Jason Miller/,
      /Copyright \(c\) 2022-present Preact Team/,
      /Apache License/,
    ]) {
      assert.match(notices, wanted);
    }
    const served = /href="(\/app\/[^"]+\.txt)"/.exec(pageText())![1]!;
    const answer = await fetch((await site.url()) + served);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(await answer.text(), notices);
  });

  it('has no script or style in the document itself', () => {
    assert.doesNotMatch(pageText(), /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
