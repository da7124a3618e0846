// The database itself is killed in the middle of loads, and started again.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresNode } from '../../support/postgres-nodes.ts';
import { trial } from './findings.ts';
import { writeBars } from './load-files.ts';
import { assertWhole, contents, ended, rounds, run, startIngest, withStore } from './loading.ts';
import { type Listing, listingOf, WatchedServer } from './watched-server.ts';

const ROUNDS = rounds(1, 0.2);

/** What an undisturbed load leaves, and what a server shows of it. */
interface Expected {
  readonly contents: Record<string, unknown>;
  readonly listing: Listing;
}

describe('a PostgreSQL that is killed during a load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-database-'));
  const files = writeBars(folder);
  let node: PostgresNode;
  before(async () => {
    node = await PostgresNode.primary();
  });
  after(async () => {
    await node.remove();
    rmSync(folder, { recursive: true });
  });
  const database = async (name: string) => {
    await node.query(`CREATE DATABASE ${name}`);
    return node.url.replace(/[^/]*$/, name);
  };

  it(`and started again (${ROUNDS} times) loses nothing that was acknowledged, and no server`, async t => {
    await trial(t, { fault: 'PostgreSQL killed during a load, and started again', rounds: ROUNDS }, () => killAll(t));
  });

  async function killAll(t: TestContext): Promise<string> {
    const undisturbed = await database('undisturbed');
    assert.equal((await run('ingest', 'csv', files, '--store', undisturbed)).code, 0);
    const expected = await withStore(undisturbed, async store => ({
      contents: await contents(store),
      listing: await listingOf(store),
    }));
    let answers = 0;
    for (let round = 0; round < ROUNDS; round++)
      answers += await killOnce(t, await database(`round_${round}`), expected);
    return `${answers} answers`;
  }

  async function killOnce(t: TestContext, url: string, expected: Expected): Promise<number> {
    const server = await WatchedServer.start(t, url);
    const keys = await withStore(url, store => store.keys());
    const child = startIngest('csv', files, url);
    const end = ended(child);
    const stored = await withStore(url, async store => {
      let bars = 0;
      while (bars === 0 && child.exitCode === null) bars = (await store.totals()).bars;
      await wait(Math.random() * 40);
      // What is seen is committed, hence acknowledged.
      return (await store.totals()).bars;
    });
    await node.kill();
    const { code, stderr } = await end;
    if (code !== 0) {
      assert.match(stderr, /does not answer|is not available|connection .* broke/);
      assert.doesNotMatch(stderr, /\n\s+at |should not happen/);
    }
    await server.answers(20);
    await node.start();
    const kept = await withStore(url, store => store.totals());
    assert.ok(kept.bars >= stored, `${kept.bars} of ${stored} bars are left`);

    const repeated = await run('ingest', 'csv', files, '--store', url);
    assert.equal(repeated.code, 0, repeated.stderr);
    assert.deepEqual(await withStore(url, contents), expected.contents);
    await server.shows(expected.listing);
    await server.stop([], expected.listing);
    await withStore(url, async store => {
      await assertWhole(store);
      assert.deepEqual(await store.keys(), keys);
    });
    return server.asked;
  }
});
