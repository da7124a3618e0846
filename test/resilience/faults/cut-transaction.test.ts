// A database that ends a connection inside a transaction, as it does when it stops or is told to: the client library alone
// would end the process. In a process of its own, whose client nobody has loaded before.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { ended } from './loading.ts';

it('a transaction that the database cuts fails, and the process goes on with the next', async () => {
  const child = join(import.meta.dirname, 'cut-transaction-child.ts');
  const args = ['--disable-warning=ExperimentalWarning', child, await freshPostgresUrl()];
  const { code, stdout, stderr } = await ended(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: 'unreachable 0\nunreachable 0\n', stderr: '' });
});
