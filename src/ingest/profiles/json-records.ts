// The records of a JSON text: one object, a list of objects, or one object a line (NDJSON), told apart by the content.
//
// One broken record never costs the others. Lines are read one at a time, so NDJSON of any size needs little memory; a
// document is held whole, because only its end says whether it is valid.

import { DamagedInput } from '../inputs.ts';
import type { RejectReason } from '../source.ts';

/** `at` is the line (NDJSON) or the number of the record in its document, from 1. */
export type JsonRecord =
  | { readonly at: number; readonly value: unknown }
  | { readonly at: number; readonly reason: RejectReason; readonly detail: string };

/** V8 holds no text of more than 512 MB, and nobody waits for a parser that long. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const TOO_BIG = `a JSON document of more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB; write one record a line (NDJSON)`;

export async function* jsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord, void, undefined> {
  const document: Buffer[] = [];
  let documentBytes = 0;
  let isDocument: boolean | null = null;
  let number = 0;
  let damage: DamagedInput | null = null;
  try {
    for await (const { bytes, cut } of splitLines(chunks)) {
      number++;
      if (isDocument !== true && isBlank(bytes)) continue;
      isDocument ??= !isObjectLine(bytes);
      if (isDocument) {
        document.push(bytes);
        documentBytes += bytes.length + 1;
        if (documentBytes > MAX_DOCUMENT_BYTES) {
          yield { at: 1, reason: 'bad_profile', detail: TOO_BIG };
          return;
        }
      } else {
        const record = readRecord(bytes, number);
        if (!cut || 'value' in record) yield record;
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedInput)) throw error;
    damage = error;
  }
  if (isDocument) {
    for (const record of documentRecords(joinLines(document))) {
      // The damage itself is told below, once.
      if (damage === null || !('reason' in record) || record.reason !== 'truncated') yield record;
    }
  }
  if (damage !== null) yield { at: Math.max(number, 1), reason: 'truncated', detail: damage.message };
  else if (isDocument === null)
    yield { at: 1, reason: 'bad_profile', detail: 'expected profiles as JSON, got nothing' };
}

interface Line {
  readonly bytes: Buffer;
  /** The input broke off in it. */
  readonly cut: boolean;
}

const NEWLINE = 0x0a;
const BOM = Buffer.from('\uFEFF');

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  let parts: Buffer[] = [];
  let first = true;
  const take = (cut: boolean): Line => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    const bytes = first && whole.subarray(0, BOM.length).equals(BOM) ? whole.subarray(BOM.length) : whole;
    first = false;
    parts = [];
    return { bytes, cut };
  };
  try {
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        parts.push(chunk.subarray(start, end));
        yield take(false);
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    }
  } catch (error) {
    if (error instanceof DamagedInput && parts.length > 0) yield take(true);
    throw error;
  }
  if (parts.length > 0) yield take(false);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const newline = Buffer.of(NEWLINE);
  return Buffer.concat(lines.flatMap(line => [line, newline]));
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every(byte => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function isObjectLine(bytes: Buffer): boolean {
  const record = readRecord(bytes, 1);
  return 'value' in record && typeof record.value === 'object' && !Array.isArray(record.value);
}

function* documentRecords(bytes: Buffer): Generator<JsonRecord, void, undefined> {
  const whole = readRecord(bytes, 1);
  if (!('value' in whole)) yield* salvage(bytes, whole);
  else if (Array.isArray(whole.value)) yield* whole.value.map((value, index) => ({ at: index + 1, value }));
  else yield whole;
}

/** What can be read of a document that is not valid as a whole. */
function* salvage(bytes: Buffer, whole: JsonRecord): Generator<JsonRecord, void, undefined> {
  // In Latin-1 every byte is one character, so that a wrong encoding moves nothing; JSON's own signs are ASCII.
  const text = bytes.toString('latin1');
  if (text.trimStart().startsWith('[')) {
    yield* listedRecords(text);
  } else if ((text.match(/^\{/gm)?.length ?? 0) > 1) {
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() !== '') yield readRecord(Buffer.from(line, 'latin1'), index + 1);
    }
  } else {
    yield whole;
  }
}

/** The objects of a broken list, found by their braces. */
function* listedRecords(text: string): Generator<JsonRecord, void, undefined> {
  let at = 0;
  let depth = 0;
  let start = 0;
  // A text in quotes, closed or not (no text may hold a line end), or a brace.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}]/g)) {
    if (token === '{' && depth++ === 0) start = index;
    if (token === '}' && depth > 0 && --depth === 0) {
      yield readRecord(Buffer.from(text.slice(start, index + 1), 'latin1'), ++at);
    }
  }
  if (depth > 0) yield { at: at + 1, reason: 'truncated', detail: 'the record has no end; expected a closing }' };
  else if (!text.trimEnd().endsWith(']')) {
    yield { at: at + 1, reason: 'truncated', detail: 'the list has no end; expected a closing ]' };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readRecord(bytes: Buffer, at: number): JsonRecord {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { at, reason: 'bad_encoding', detail: 'the record holds bytes that are not UTF-8' };
  }
  try {
    return { at, value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : String(error);
    return { at, reason: 'bad_profile', detail: `not JSON: ${message.replace(/\s+/g, ' ')}` };
  }
}
