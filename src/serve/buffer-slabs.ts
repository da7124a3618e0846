// Small buffers are cut from slabs. Those of Node have 8 kB, which is where blocks begin that come straight from the system (see
// scripts/malloc.sh): a server under load would ask for one with every few requests.

const SLAB_BYTES = 64 * 2 ** 10;

/** In this thread, from now on. */
export function useLargeSlabs(): void {
  Buffer.poolSize = SLAB_BYTES;
}
