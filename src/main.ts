// Runs the command line and sets the exit code.

import { runCommandLine } from './cli/cli.ts';

// The reader of our output may stop reading (`tidemark status | head`), which is not an error.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
