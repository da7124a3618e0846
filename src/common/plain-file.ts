// Reads files from folders that other programs can write to. Only plain files are read: to open a FIFO would wait for a writer, for ever,
// and so keep the process from ending.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** With `O_NONBLOCK` a FIFO or a device is opened at once, and then refused. It means nothing for plain files. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

export class NotPlain extends Error {
  override readonly name = 'NotPlain';

  constructor(path: string) {
    super(`${path} is not a plain file`);
  }
}

/** A link to a plain file is followed. */
export async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(path, READ);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw new NotPlain(path);
}

export async function readPlain(path: string): Promise<Buffer> {
  const file = await openPlain(path);
  return file.readFile().finally(() => file.close());
}

export function readPlainSync(path: string): Buffer {
  const file = openSync(path, READ);
  try {
    if (!fstatSync(file).isFile()) throw new NotPlain(path);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
