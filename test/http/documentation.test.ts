// The reference page: complete, and without anything from another host.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { DATASETS } from '../../src/domain/datasets.ts';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { problemUri } from '../../src/http/wire/problem.ts';
import { TOOL_LIST } from '../../src/mcp/tools.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => demo.ask(url, { headers });

async function loadedFiles(): Promise<string[]> {
  const { text } = await get('/docs');
  const links = text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g);
  return [...new Set([...links].map(([, address]) => new URL(address!, 'http://host/docs').pathname))];
}

describe('the reference page', () => {
  it('is HTML under a policy that allows our own files only, and no inline script', async () => {
    const { status, headers, text } = await get('/docs');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.match(text, /<title>Tidemark/);
    assert.doesNotMatch(text, /<script(?![^>]*src=)|<style|style=|onload=|https?:/);
  });

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    it(`has the place that the problem type of ${code} points to`, async () => {
      const [path, anchor] = problemUri(code).split('#');
      const { text } = await get(path!);
      assert.ok(text.includes(`id="${anchor}"`));
      assert.ok(text.includes(`${ERRORS[code].status} ${ERRORS[code].title}`));
    });
  }

  it('is there as Markdown, with every dataset, column, tool and error, and an index for models links to it', async () => {
    const reference = await get('/docs.md');
    assert.match(String(reference.headers['content-type']), /^text\/markdown/);
    const words = new Set(reference.text.match(/[\w/-]+/g));
    const names = [...DATASETS.flatMap(({ columns }) => columns.map(({ name }) => name)), ...Object.keys(ERRORS)];
    for (const name of [...names, ...TOOL_LIST.map(({ name: tool }) => tool)]) assert.ok(words.has(name), name);
    for (const { name } of DATASETS) assert.ok(reference.text.includes(`# GET /v1/crypto/${name}\n`), name);
    const index = await get('/llms.txt');
    assert.match(index.text, /^# Tidemark\n\n> .+\n/);
    for (const [, link = ''] of index.text.matchAll(/\]\(([^)]+)\)/g)) {
      assert.notEqual((await get(new URL(link, 'http://x').pathname)).status, 404, link);
    }
  });

  it('loads files that are all there, each with its type and a validator', async () => {
    const files = await loadedFiles();
    assert.ok(files.length >= 5);
    for (const file of files) {
      const { status, headers, body } = await get(file);
      assert.equal(status, 200, file);
      assert.match(String(headers['content-type']), /^(text\/javascript|text\/css|image\/svg\+xml)/, file);
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/, file);
      assert.ok(body.length > 0, file);
      assert.equal((await get(file, { 'if-none-match': String(headers['etag']) })).status, 304, file);
    }
  });

  it('loads each file compressed, with the same content', async () => {
    const plain = await get('/docs/swagger-ui.css');
    const zipped = await get('/docs/swagger-ui.css', { 'accept-encoding': 'gzip' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(zipped.body), plain.body);
  });

  for (const path of [
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
  ]) {
    it(`gives away no other file at ${path}`, async () => assert.equal((await get(path)).status, 404));
  }

  it('says that the prices are simulated exactly where they are', async () => {
    assert.match((await get('/docs')).text, /simulated/);
    const real = await startDemo({ simulated: false });
    assert.doesNotMatch((await real.ask('/docs')).text, /simulated/);
    await real.close();
  });
});
