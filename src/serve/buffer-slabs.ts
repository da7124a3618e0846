// Node cuts small buffers from slabs of 8 kB. Blocks of that size come straight from the system (scripts/process-settings.sh), so a server under
// load would request one from the system with every few requests. Larger slabs avoid that.

const SLAB_BYTES = 64 * 2 ** 10;

/** For buffers that this thread allocates after the call. */
export function useLargeSlabs(): void {
  Buffer.poolSize = SLAB_BYTES;
}
