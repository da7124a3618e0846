// Rows as an Arrow IPC file, which is Feather version 2: the stream between two marks, and a footer that says where each batch is.

import type { RowSelection } from '../page.ts';
import { arrowChunks, fieldsOf } from './arrow.ts';
import { footer, messageBytes } from './messages.ts';

/** Eight bytes, so that messages begin at multiples of eight. */
const START = Buffer.from('ARROW1\0\0', 'latin1');
const END = Buffer.from('ARROW1', 'latin1');

export function* arrowFileChunks(page: RowSelection): Generator<Buffer, void, undefined> {
  /** Of each batch: place, bytes of its description, bytes of its body. */
  const batches: number[] = [];
  yield START;
  let at = START.length;
  for (const chunk of arrowChunks(page, false)) {
    const described = messageBytes(chunk);
    // Neither the schema nor the end has a body.
    if (chunk.length > described) batches.push(at, described, chunk.length - described);
    at += chunk.length;
    yield chunk;
  }
  const described = footer(fieldsOf(page), batches);
  const length = Buffer.alloc(4);
  length.writeInt32LE(described.length);
  yield Buffer.concat([described, length, END]);
}
