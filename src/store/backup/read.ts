// Reads a backup into records and refuses one that is incomplete or damaged: reading to the end without an error proves that it is whole.

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_PROFILE_BYTES } from '../../domain/profile.ts';
import { BackupError, type BackupRecord, type End, FORMAT, type Header, type OldLoadRecord } from './format.ts';

const NEWLINE = 0x0a;
/** The longest line that a backup can have holds the bars of one asset: 57 years of days are 3 MB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_PROFILE_LINE_BYTES = 2 * MAX_PROFILE_BYTES;
const ANOTHER = 'Use another backup: this one is not whole.';

export interface OpenBackup {
  readonly header: Header;
  readonly records: AsyncGenerator<BackupRecord>;
}

/** `onBytes` gets how many bytes of the file have been read. */
export async function openBackup(path: string, onBytes: (bytes: number) => void = () => {}): Promise<OpenBackup> {
  const lines = linesOf(path, onBytes);
  const first = await lines.next();
  const header = first.done ? null : parse<Partial<Header>>(first.value, path);
  if (header?.tidemark !== 'backup' || typeof header.format !== 'number') throw notABackup(path);
  if (header.format > FORMAT) {
    throw new BackupError(
      `${path} was written by a newer Tidemark (format ${header.format}; this one reads up to ${FORMAT})`,
      'Restore it with that Tidemark or a later one.',
    );
  }
  // Every format has all members; the checksum proves that no byte has changed.
  return { header: header as Header, records: recordsOf(path, first.value as Buffer, lines) };
}

async function* recordsOf(
  path: string,
  header: Buffer,
  lines: AsyncGenerator<Buffer, void>,
): AsyncGenerator<BackupRecord> {
  const sha256 = createHash('sha256').update(header);
  let records = 0;
  for await (const line of lines) {
    const record = parse<BackupRecord | OldLoadRecord | End>(line, path);
    if (record.kind === 'end') {
      const last = (await lines.next()).done;
      if (last && record.records === records && record.sha256 === sha256.digest('hex')) return;
      throw new BackupError(`${path} is damaged: its checksum does not match`, ANOTHER);
    }
    if (record.kind === 'profile' && line.length > MAX_PROFILE_LINE_BYTES) throw tooLong(path, 'a profile');
    sha256.update(line);
    records++;
    yield record.kind === 'run' ? { ...record, kind: 'load' } : record;
  }
  throw new BackupError(`${path} ends too early`, ANOTHER);
}

/** With their line ends. */
async function* linesOf(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  // The consumer gets the errors of both streams through the second.
  const text: Readable = pipeline(file, createGunzip(), () => {});
  const parts: Buffer[] = [];
  let [length, lines] = [0, 0];
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      onBytes(file.bytesRead);
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, at + 1));
        lines++;
        yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
        parts.length = length = 0;
        from = at + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
      length += chunk.length - from;
      // Checked while reading: a small gzip file can hold one line of any length.
      if (length > MAX_LINE_BYTES) throw lines === 0 ? notABackup(path) : tooLong(path, 'a line');
    }
  } catch (error) {
    throw fault(error, path, lines === 0);
  } finally {
    file.destroy();
  }
  if (parts.length > 0) throw new BackupError(`${path} ends too early`, ANOTHER);
}

/** The checksum proves that a line has the form that was written. */
function parse<T>(line: Buffer, path: string): T {
  try {
    return JSON.parse(line.toString()) as T;
  } catch (error) {
    throw new BackupError(`${path} is damaged: a line of it is not JSON`, ANOTHER, { cause: error });
  }
}

function tooLong(path: string, what: string): BackupError {
  return new BackupError(`${path} is damaged: ${what} of it is longer than any that a backup has`, ANOTHER);
}

function notABackup(path: string, cause?: unknown): BackupError {
  return new BackupError(`${path} is not a backup`, "Choose a file that 'tidemark backup' has written.", { cause });
}

/** zlib also reports bytes after the end as a bad header. */
function isGzip(path: string): boolean {
  const file = openSync(path, 'r');
  const start = Buffer.alloc(2);
  readSync(file, start);
  closeSync(file);
  return start[0] === 0x1f && start[1] === 0x8b;
}

function fault(error: unknown, path: string, nothingRead: boolean): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'ENOENT':
      return new BackupError(`there is no file ${path}`, "Choose one that 'tidemark backup' has written.", {
        cause: error,
      });
    case 'EACCES':
    case 'EISDIR':
    case 'EIO':
      return new BackupError(`${path} cannot be read`, 'Check that it is a file, and its permissions.', {
        cause: error,
      });
    case 'Z_BUF_ERROR':
      return new BackupError(`${path} ends too early`, ANOTHER, { cause: error });
    case 'Z_DATA_ERROR':
      return nothingRead && !isGzip(path)
        ? notABackup(path, error)
        : new BackupError(`${path} is damaged`, ANOTHER, { cause: error });
    default:
      return error;
  }
}
