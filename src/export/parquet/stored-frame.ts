// A ZSTD frame (RFC 8878) whose blocks are stored as they are. For pages that hardly shrink, such as computed doubles: every reader takes
// it for ZSTD, and neither writer nor reader spends time on it.

const MAGIC = 0xfd2fb528;
/** No checksum, no dictionary, no window: the content is one segment, and its size has four bytes. */
const DESCRIPTOR = 0b1010_0000;
const HEADER_BYTES = 9;
const BLOCK_HEADER_BYTES = 3;
const MAX_BLOCK_BYTES = 128 * 2 ** 10;

/** Its parts, in order: the content is not copied. */
export function storedFrame(content: Buffer): Buffer[] {
  const blocks = Math.max(1, Math.ceil(content.length / MAX_BLOCK_BYTES));
  const heads = Buffer.alloc(HEADER_BYTES + blocks * BLOCK_HEADER_BYTES);
  heads.writeUInt32LE(MAGIC, 0);
  heads.writeUInt8(DESCRIPTOR, 4);
  heads.writeUInt32LE(content.length, 5);
  const parts: Buffer[] = [];
  for (let block = 0, written = 0; block < blocks; block++) {
    const bytes = content.subarray(block * MAX_BLOCK_BYTES, (block + 1) * MAX_BLOCK_BYTES);
    const at = HEADER_BYTES + block * BLOCK_HEADER_BYTES;
    const isLast = block === blocks - 1;
    // Type 0 in the bits 1 and 2: a raw block.
    heads.writeUIntLE(bytes.length * 8 + Number(isLast), at, BLOCK_HEADER_BYTES);
    parts.push(heads.subarray(written, at + BLOCK_HEADER_BYTES), bytes);
    written = at + BLOCK_HEADER_BYTES;
  }
  return parts;
}
