import { describe, it } from 'node:test';
import { freshPostgresUrl } from '../support/postgres.ts';
import { KILLED_LOADS, killLoads } from './killed-load.ts';

describe('a load into PostgreSQL that is killed', () => {
  it(KILLED_LOADS, () => killLoads(freshPostgresUrl));
});
