// Starts the program, or says in one line why this Node cannot. Any Node parses this file; src/ needs a newer one.

import module from 'node:module';
import { fileURLToPath } from 'node:url';

var oldest = 24;
var major = Number(process.versions.node.split('.')[0]);

if (major < oldest) {
  process.stderr.write(
    'tidemark: needs Node.js ' +
      oldest +
      ' or newer, but this is ' +
      process.versions.node +
      '. Install a newer Node.js. On Linux (x64, arm64) ./tidemark in a clone of the repository brings one.\n',
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept between starts, which makes them several times faster.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  import('../src/main.ts');
}
