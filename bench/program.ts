// The program as users start it: the script sets what Node cannot change once it runs, such as the number of V8's helper threads.

import { join } from 'node:path';

export const PROGRAM: string = join(import.meta.dirname, '../tidemark');
