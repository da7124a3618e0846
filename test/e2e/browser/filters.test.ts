// The filter as an expression, its second view as a form with a histogram, tags and types, and computed columns.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit } from './audit.ts';
import { expectRows, Site, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const BY_NAME = 'sort=symbol&order=asc';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
const chips = (page: Page) => page.getByRole('list', { name: 'Filters in force' });
const where = (expression: string) => `${BY_NAME}&limit=1000&where=${encodeURIComponent(expression)}`;

async function expectMatches(page: Page, expression: string): Promise<void> {
  const rows = await site.rows(where(expression));
  await expectRows(page, rows);
  await page.getByText(`${rows.length} asset`).first().waitFor();
}

describe('the filter box', () => {
  it('shows the rows for which the expression holds, and says so in the address', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    const expression = '(change7 < -5 or change30 < -20) and price >= 0.01';
    await box(page).fill(expression);
    await expectMatches(page, expression);
    assert.equal(new URL(page.url()).searchParams.get('where'), expression);
    await page.reload();
    await expectMatches(page, expression);
    assert.equal(await box(page).inputValue(), expression);
  });

  it('completes columns by name and by label, functions, words and tags, all with the keyboard', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    const options = page.getByRole('listbox', { name: 'Suggestions' });
    await box(page).pressSequentially('volatility 3'.slice(0, 10));
    await options.getByRole('option', { name: /^vol30 / }).waitFor();
    await box(page).press('Escape');
    assert.equal(await options.getByRole('option').count(), 0);
    await box(page).fill('');
    await box(page).pressSequentially('sma2');
    await options.getByRole('option', { name: /^sma20 / }).waitFor();
    await box(page).press('ArrowDown');
    await box(page).press('ArrowDown');
    assert.equal(await options.getByRole('option', { selected: true }).textContent(), 'sma200 SMA 200');
    await box(page).press('Enter');
    await box(page).pressSequentially(' < pri');
    await box(page).press('Tab');
    await box(page).pressSequentially(' a');
    await box(page).press('Tab');
    await box(page).pressSequentially("tag('");
    const tag = (await options.getByRole('option').first().textContent())!.split("'")[0]!;
    await box(page).press('Tab');
    const expression = `sma200 < price and tag('${tag}')`;
    assert.equal(await box(page).inputValue(), expression);
    await expectMatches(page, expression);
  });

  it('says what is wrong at its place, keeps the rows, and goes on when it is corrected', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    const before = await site.rows(`${BY_NAME}&limit=12`);
    await expectRows(page, before);
    await box(page).fill('price > 1 and smaa200 < 5');
    const problem = page.getByRole('alert').filter({ hasText: 'smaa200' });
    await problem.waitFor();
    assert.match((await problem.textContent())!, /sma200/);
    const [field, mark] = await Promise.all([box(page).boundingBox(), page.locator('.mark').boundingBox()]);
    // The wrong word begins after 14 characters of one width.
    const width = mark!.width / 'smaa200'.length;
    assert.ok(Math.abs(mark!.x - field!.x - 14 * width) < 2 * width, JSON.stringify({ field, mark }));
    assert.equal((await page.locator('.table-box.outdated tbody tr').count()) > 5, true);
    await page.getByText('Not the rows of this screen').waitFor();
    assert.deepEqual(await audit(page), []);
    await box(page).fill('price > 1 and sma200 < 5');
    await expectMatches(page, 'price > 1 and sma200 < 5');
    assert.equal(await page.locator('.mark, .outdated').count(), 0);
  });

  it('takes 10M and 1,000,000, and is a plain expression once it is left', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    await box(page).fill('turnover > 10M and market_cap between 1,000,000 and 2.5 T');
    const expression = 'turnover > 10000000 and market_cap between 1000000 and 2500000000000';
    await expectMatches(page, expression);
    assert.equal(new URL(page.url()).searchParams.get('where'), expression);
    // What is typed does not change under the caret.
    assert.match(await box(page).inputValue(), /10M/);
    await box(page).press('Tab');
    await waitFor(async () => assert.equal(await box(page).inputValue(), expression));
  });

  it('says nothing of rows when a filter without rows is followed by a wrong one', async () => {
    const page = await site.open('/?where=price%20%3C%200');
    await page.getByText('No asset matches.').waitFor();
    await box(page).fill('volatility > $5');
    await page.getByText('Write amounts without a sign').waitFor();
    await page.getByText('Correct the filter above').waitFor();
    assert.equal(await page.getByText('No asset matches.').count(), 0);
    // Not the names of all columns.
    await box(page).fill('zzzzzzzz > 5');
    await page.getByText('Ctrl+Space lists the columns.').waitFor();
  });

  it('explains a link with a broken expression', async () => {
    const page = await site.open('/?where=price%20%3E');
    await page.getByText('Correct the filter above').waitFor();
    await box(page).fill('');
    await expectRows(page, await site.rows('sort=rank&order=asc'));
  });
});

describe('the form', () => {
  it('is a second view of the same expression', async () => {
    const page = await site.open(`/?${BY_NAME}&where=price%20%3E%201%20and%20sma50%20%3E%201.02%20*%20sma200`);
    await expectMatches(page, 'price > 1 and sma50 > 1.02 * sma200');
    assert.deepEqual(await chips(page).getByTitle('Change this filter').allTextContents(), [
      'Price is above 1',
      'sma50 > 1.02 * sma200',
    ]);
    await button(page, 'Price is above 1').click();
    await page.getByLabel('Number (USD)').fill('5');
    await button(page, 'Change filter').click();
    await waitFor(async () => assert.equal(await box(page).inputValue(), 'price > 5 and sma50 > 1.02 * sma200'));
    await expectMatches(page, 'price > 5 and sma50 > 1.02 * sma200');
    await button(page, 'sma50 > 1.02 * sma200').click();
    assert.equal(await page.locator(':focus').getAttribute('id'), 'where');
    await button(page, 'Remove the filter: Price is above 5').click();
    await expectMatches(page, 'sma50 > 1.02 * sma200');
  });

  it('takes numbers as the cells write them', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    await button(page, 'Filters').click();
    await page.getByLabel('Show assets whose').selectOption('Turnover');
    for (const [typed, plain] of [
      ['10M', 10_000_000],
      ['84.15 M', 84_150_000],
      ['10,000,000', 10_000_000],
    ] as const) {
      await page.getByLabel('Lowest (USD)').fill(typed);
      await page.getByRole('button', { name: /^(Add|Change) filter$/ }).click();
      await waitFor(async () => assert.equal(await box(page).inputValue(), `turnover >= ${plain}`));
      await page.getByTitle('Change this filter').first().click();
    }
    await expectMatches(page, 'turnover >= 10000000');
  });

  it('has the distribution of the column, whose handles move by the keyboard and by the pointer', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    await button(page, 'Filters').click();
    await page.getByLabel('Show assets whose').selectOption('Change 30d');
    const low = page.getByRole('slider', { name: 'Lowest Change 30d' });
    await low.waitFor();
    await waitFor(async () => assert.ok((await page.locator('.histogram rect').count()) >= 10));
    await low.focus();
    for (let i = 0; i < 12; i++) await low.press('ArrowRight');
    const lowest = Number(await page.getByLabel('Lowest (percent)').inputValue());
    assert.equal(await low.getAttribute('aria-valuetext'), String(lowest));

    const high = await page.getByRole('slider', { name: 'Highest Change 30d' }).boundingBox();
    const chart = await page.locator('.histogram').boundingBox();
    await page.mouse.move(high!.x + high!.width / 2, high!.y + 20);
    await page.mouse.down();
    await page.mouse.move(chart!.x + chart!.width * 0.7, high!.y + 20, { steps: 4 });
    await page.mouse.up();
    const highest = Number(await page.getByLabel('Highest (percent)').inputValue());
    assert.ok(lowest < highest, `${lowest} … ${highest}`);
    assert.deepEqual(await audit(page), []);
    await button(page, 'Add filter').click();
    await expectMatches(page, `change30 between ${lowest} and ${highest}`);
    await page.getByLabel('Show assets whose').selectOption('RSI 14');
    await page.getByLabel('Lowest', { exact: true }).waitFor();
  });
});

describe('tags and types', () => {
  it('are chips with the numbers of assets that they would show', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    await button(page, 'Filters').click();
    const facets = JSON.parse(await site.text('/v1/crypto/ta-cur/facets?limit=1000')).result as {
      facet: string;
      value: string;
      count: number;
    }[];
    const type = facets.find(({ facet }) => facet === 'type')!;
    const [one, other] = facets.filter(({ facet }) => facet === 'tag');
    await button(page, `${type.value} ${type.count}`).click();
    await page.getByText(`${type.count} assets`).waitFor();
    await button(page, `Remove the filter: Type ${type.value}`).click();
    await button(page, `${one!.value} ${one!.count}`).click();
    await page.getByText(`${one!.count} asset`).first().waitFor();
    await button(page, `${other!.value} ${other!.count}`).click();
    await expectRows(page, await site.rows(`${BY_NAME}&tag=${one!.value},${other!.value}`));
    assert.equal(new URL(page.url()).searchParams.get('tag'), `${one!.value},${other!.value}`);
  });
});

describe('a filter that is being typed', () => {
  it('is kept together with a click right after it', async () => {
    const page = await site.open(`/?${BY_NAME}&cols=price,change1`);
    await button(page, 'Change 1d').waitFor();
    await box(page).fill('price > 1');
    await button(page, 'Change 1d').click();
    await expectRows(page, await site.rows(`sort=change1&where=${encodeURIComponent('price > 1')}&limit=20`));
  });
});

describe('a computed column', () => {
  it('is added, sorted by, filtered by, kept in the address, and removed', async () => {
    const page = await site.open(`/?${BY_NAME}&cols=price`);
    await button(page, 'Columns').click();
    await page.getByLabel('Name', { exact: true }).fill('score');
    await page.getByLabel('Expression').fill('change30 / vol300');
    await button(page, 'Add column').click();
    await page.getByRole('alert').filter({ hasText: 'vol300' }).waitFor();
    await page.getByLabel('Expression').fill('change30 / vol30');
    await button(page, 'Add column').click();
    await page.getByRole('columnheader', { name: 'score' }).waitFor();
    await button(page, 'score').click();
    await box(page).fill('score > 0.1');
    const query = `calc=score:${encodeURIComponent('change30 / vol30')}&sort=score&where=${encodeURIComponent('score > 0.1')}`;
    const rows = await site.rows(`${query}&limit=20`);
    await expectRows(page, rows);
    const cell = page.locator('tbody tr').first().locator('td').nth(1);
    assert.equal(await cell.getAttribute('title'), `score ${rows[0]!['score']}`);
    await page.reload();
    await expectRows(page, rows);
    await box(page).fill('');
    await button(page, 'Columns').click();
    await button(page, 'Remove the computed column score').click();
    await expectRows(page, await site.rows(`${BY_NAME}&limit=12`));
  });

  it('shows the line that makes it a column of the service, or why there is none', async () => {
    const page = await site.open(`/?${BY_NAME}&cols=price`);
    await button(page, 'Columns').click();
    await page.getByLabel('Name', { exact: true }).fill('trend');
    await page.getByLabel('Expression').fill('sma50 / sma200');
    await button(page, 'Add column').click();
    await page.getByText('"trend": "sma(close, 50) / sma(close, 200)"').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('score');
    await page.getByLabel('Expression').fill('change30 / vol30');
    await button(page, 'Add column').click();
    await page.getByText('score cannot become a column of the service').waitFor();
  });
});

it('did nothing but talk to its own service, with the key in a header, within its content policy', () => {
  site.assertNoMisdeeds();
});
