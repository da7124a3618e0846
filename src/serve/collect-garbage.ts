// A full garbage collection on request, by a V8 flag that Node does not document. Where the flag does nothing, neither does this: V8
// then returns memory in its own time.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * True when memory was collected. The flag is set for a moment only: V8 rejects cached compiled code that was made with other
 * flags.
 */
export function collectGarbage(flavor: 'regular' | 'last-resort' = 'last-resort'): boolean {
  collect ??= findCollect();
  try {
    // The regular flavour keeps the pages that it has emptied, and takes less time.
    collect?.({ type: 'major', execution: 'sync', flavor });
    return collect !== null;
  } catch {
    // Another version of V8 may not know the options. The server works without it.
    return false;
  }
}

type Collect = (options: object) => void;
let collect: Collect | null = null;

function findCollect(): Collect | null {
  try {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('globalThis.gc');
    return typeof found === 'function' ? (found as Collect) : null; // V8 documents its options
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
