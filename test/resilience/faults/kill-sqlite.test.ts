import { join } from 'node:path';
import { describe, it } from 'node:test';
import { trial } from './findings.ts';
import { KILLED_LOADS, KILLS, killLoads } from './killed-load.ts';

describe('a load into SQLite that is killed', () => {
  let databases = 0;
  it(KILLED_LOADS, t =>
    trial(t, { fault: 'load killed (SIGKILL), SQLite', rounds: KILLS, checked: ['bars', 'snapshots', 'keys'] }, () =>
      killLoads(async folder => `sqlite:${join(folder, `${databases++}.db`)}`),
    ),
  );
});
