// The store's contract on PostgreSQL with Citus, where the environment names a cluster.

import { after, test } from 'node:test';
import { dropCitusDatabases, freshCitusUrl, NO_CITUS } from '../support/postgres-citus.ts';
import { storeContract } from './store.ts';

if (NO_CITUS === null) {
  storeContract('Citus', () => freshCitusUrl());
  after(dropCitusDatabases);
} else {
  test('the Citus store', { skip: NO_CITUS }, () => {});
}
