import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { killServers, ROUNDS } from './killed-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-'));
after(() => rmSync(folder, { recursive: true }));

describe(`a server that is killed at ${ROUNDS} random moments, during a load and under requests`, () => {
  it('leaves a whole SQLite store, and the next one answers rightly at once', t =>
    trial(t, { fault: 'server killed (SIGKILL), SQLite', rounds: ROUNDS }, () =>
      killServers(`sqlite:${join(folder, 'store.db')}`),
    ));

  it('leaves a whole PostgreSQL store, and the next one answers rightly at once', t =>
    trial(t, { fault: 'server killed (SIGKILL), PostgreSQL', rounds: ROUNDS }, async () =>
      killServers(await freshPostgresUrl()),
    ));
});
