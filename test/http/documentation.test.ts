// The reference page: complete, and without anything from another host.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { problemUri } from '../../src/http/problem.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => demo.server.inject({ url, headers });

async function loadedFiles(): Promise<string[]> {
  const { body } = await get('/docs');
  const links = body.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g);
  return [...new Set([...links].map(([, address]) => new URL(address!, 'http://host/docs').pathname))];
}

describe('the reference page', () => {
  it('is HTML under a policy that allows our own files only, and no inline script', async () => {
    const { statusCode, headers, body } = await get('/docs');
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.match(body, /<title>Tidemark/);
    assert.doesNotMatch(body, /<script(?![^>]*src=)|<style|style=|onload=|https?:/);
  });

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    it(`has the place that the problem type of ${code} points to`, async () => {
      const [path, anchor] = problemUri(code).split('#');
      const { body } = await get(path!);
      assert.ok(body.includes(`id="${anchor}"`));
      assert.ok(body.includes(`${ERRORS[code].status} ${ERRORS[code].title}`));
    });
  }

  it('loads files that are all there, each with its type and a validator', async () => {
    const files = await loadedFiles();
    assert.ok(files.length >= 5);
    for (const file of files) {
      const { statusCode, headers, rawPayload } = await get(file);
      assert.equal(statusCode, 200, file);
      assert.match(String(headers['content-type']), /^(text\/javascript|text\/css|image\/svg\+xml)/, file);
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/, file);
      assert.ok(rawPayload.length > 0, file);
      assert.equal((await get(file, { 'if-none-match': String(headers['etag']) })).statusCode, 304, file);
    }
  });

  it('loads each file compressed, with the same content', async () => {
    const plain = await get('/docs/swagger-ui.css');
    const zipped = await get('/docs/swagger-ui.css', { 'accept-encoding': 'gzip' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(zipped.rawPayload), plain.rawPayload);
  });

  for (const path of [
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
  ]) {
    it(`gives away no other file at ${path}`, async () => assert.equal((await get(path)).statusCode, 404));
  }

  it('says that the prices are simulated exactly where they are', async () => {
    assert.match((await get('/docs')).body, /simulated/);
    const real = await startDemo({ simulated: false });
    assert.doesNotMatch((await real.server.inject('/docs')).body, /simulated/);
    await real.close();
  });
});
