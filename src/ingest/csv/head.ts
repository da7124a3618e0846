// The start of a CSV file, and whether it is text at all.

import { DamagedInput } from '../inputs.ts';
import { HEAD_BYTES, type NoLayout } from './layout.ts';

const ZIP_START = Buffer.from('PK\x03\x04');

export type Chunks = AsyncGenerator<Buffer, void, undefined>;

export type End = 'end' | DamagedInput;

export async function nextChunk(chunks: Chunks): Promise<Buffer | End> {
  try {
    const { value, done } = await chunks.next();
    return done ? 'end' : value;
  } catch (error) {
    if (error instanceof DamagedInput) return error;
    throw error;
  }
}

/** Enough of the file to find its header in. */
export async function readHead(chunks: Chunks): Promise<{ readonly bytes: Buffer; readonly end: End | null }> {
  const parts: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const chunk = await nextChunk(chunks);
    if (!(chunk instanceof Uint8Array)) return { bytes: Buffer.concat(parts), end: chunk };
    parts.push(chunk);
    length += chunk.length;
  }
  return { bytes: Buffer.concat(parts), end: null };
}

export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}

/** Text has no zero bytes, except in UTF-16, and in no other form would a header be found. */
export function notText(bytes: Buffer): NoLayout | null {
  if (bytes.subarray(0, 4).equals(ZIP_START)) {
    const problem = 'the file is a spreadsheet (xlsx) or a zip archive; save it as CSV, or name it .zip';
    return { line: 1, reason: 'bad_encoding', problem };
  }
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!marked && !bytes.subarray(0, 1024).includes(0)) return null;
  const problem = marked ? 'the file is UTF-16; save it as UTF-8' : 'the file is not text; CSV in UTF-8 is expected';
  return { line: 1, reason: 'bad_encoding', problem };
}
