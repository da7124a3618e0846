// Thousands of connections that are meant to use a server up: good clients are answered all the time, the connections are closed,
// and nothing of them is left.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ConnectionLimits } from '../../../src/http/protection/connection-limits.ts';
import { ATTACKS, type AttackName } from './attacker.ts';
import { GOOD_CLIENTS } from './good-clients.ts';
import { playScene } from './play-scene.ts';

/** `ATTACK_CONNECTIONS=5000` is the long form. */
const CONNECTIONS = Number(process.env['ATTACK_CONNECTIONS'] ?? 300);
const SERVER = join(import.meta.dirname, 'limited-server.ts');
/** Shorter than the real ones, in the same order. */
const LIMITS: Partial<ConnectionLimits> = {
  headersMs: 2000,
  requestMs: 3000,
  stalledMs: 4000,
  slowestBytesPerSecond: 40_000,
  perAddress: 10_000,
};
const TIMEOUT_MS = 60_000;
/** Good clients are to be answered, which takes few requests; how fast is measured by `npm run bench -- attacks`. */
const PAUSE_MS = 50;

/** What the server says to each connection before it closes it. */
const LAST_ANSWER: Readonly<Record<AttackName, string>> = {
  silence: 'HTTP/1.1 408',
  'slow headers': 'HTTP/1.1 408',
  'slow bodies': 'HTTP/1.1 405',
  'slow reading': 'HTTP/1.1 200',
  'slow reading of a file': 'HTTP/1.1 200',
};

/**
 * What a connection may cost: two pieces of a long answer, and what Node keeps for a connection. The listing that slow readers ask for
 * is a hundred times as long. Beside that, the heap of a server that is used grows and shrinks.
 */
const BYTES_EACH = 160 * 2 ** 10;
const BREATH_BYTES = 150 * 2 ** 20;

// Most of the time each waits for the limits, in a network of its own.
describe('a server under attack by', { concurrency: 2 }, () => {
  // Their keys are what the type of the table says.
  for (const attack of Object.keys(ATTACKS) as AttackName[]) {
    it(`${attack} answers good clients, closes the connections, and is as before`, async () => {
      const server = [SERVER, JSON.stringify(LIMITS)];
      const times = { quietMs: 600, attackMs: 1000, pauseMs: PAUSE_MS, timeoutMs: TIMEOUT_MS };
      const scene = await playScene({ server, attack, connections: CONNECTIONS, reopen: false, ...times });
      const { quiet, attacked, attack: seen, usage, mostResidentBytes } = scene;
      assert.deepEqual([...quiet.failures, ...attacked.failures], []);
      assert.ok(attacked.answers > 0);
      assert.ok(seen.opened > 0);
      // Not all hear it: who still sends when the line is closed may lose what it has not read.
      assert.deepEqual(Object.keys(seen.answers), [LAST_ANSWER[attack]]);
      // Long answers are made for a few at a time; the others wait.
      const answered = Object.values(seen.answers).reduce((sum, count) => sum + count, 0);
      if (attack.startsWith('slow reading') && seen.opened > 100) assert.ok(answered < seen.opened / 2);
      const { idle, cut, after } = usage;
      assert.ok(
        cut.openFiles <= idle.openFiles + GOOD_CLIENTS,
        `${cut.openFiles} open files, ${idle.openFiles} before`,
      );
      assert.ok(
        after.openFiles <= idle.openFiles,
        `${after.openFiles} open files at the end, ${idle.openFiles} before`,
      );
      const grown = mostResidentBytes - idle.residentBytes;
      assert.ok(grown < BREATH_BYTES + seen.opened * BYTES_EACH, `its memory grew by ${grown} bytes`);
    });
  }
});
