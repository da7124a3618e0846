import { describe, it } from 'node:test';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { KILLED_LOADS, KILLS, killLoads } from './killed-load.ts';

describe('a load into PostgreSQL that is killed', () => {
  it(KILLED_LOADS, t =>
    trial(
      t,
      { fault: 'load killed (SIGKILL), PostgreSQL', rounds: KILLS, checked: ['bars', 'snapshots', 'keys'] },
      () => killLoads(() => freshPostgresUrl()),
    ),
  );
});
