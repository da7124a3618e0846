// Opens the store that its argument names, and has the database end all its connections inside a transaction: while it waits
// for an answer, and between two questions. Says how that went, and whether the store works afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';

const url = process.argv[2]!; // the test gives one
const store = await openStore(url);
// Not before: the store loads the client in a way of its own.
const { default: postgres } = await import('postgres');
const other = postgres(url, { max: 1 });
const cut = () =>
  other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'tidemark' AND datname = current_database()`;

for (const betweenQuestions of [false, true]) {
  const failure = await store
    .readConsistently(async view => {
      await view.version();
      const cutting = cut().then(() => wait(200));
      if (betweenQuestions) await cutting;
      for (let i = 0; i < 10_000; i++) await view.assets();
    })
    .catch((error: unknown) => error);
  const code = failure instanceof Error && 'code' in failure ? failure.code : failure;
  process.stdout.write(`${code} ${await store.version()}\n`);
}
await other.end();
await store.close();
