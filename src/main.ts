// Runs the command line and sets the exit code.

import { runCommandLine } from './cli/cli.ts';

// Whoever reads our output may stop reading (`tidemark status | head`): that is no error.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
