import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KILLED_LOADS, killLoads } from './killed-load.ts';

describe('a load into SQLite that is killed', () => {
  let databases = 0;
  it(KILLED_LOADS, () => killLoads(async folder => `sqlite:${join(folder, `${databases++}.db`)}`));
});
