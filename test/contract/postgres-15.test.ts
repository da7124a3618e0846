// The contract on the oldest PostgreSQL that is supported: in a file of its own, so that it runs beside the newest.

import { test } from 'node:test';
import { freshPostgresUrl, NO_POSTGRES_15 } from '../support/postgres.ts';
import { storeContract } from './store.ts';

if (NO_POSTGRES_15 === null) storeContract('PostgreSQL 15', () => freshPostgresUrl(15));
else test('the PostgreSQL 15 store', { skip: NO_POSTGRES_15 }, () => {});
