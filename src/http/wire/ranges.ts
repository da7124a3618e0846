// Byte ranges of a response (RFC 9110 14).

/** Both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The part of `size` bytes that `Range` asks for. Null: the whole, because there is no such header, its form is unknown, or it
 * has several ranges, which a server may ignore.
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const from = Math.max(0, size - Number(last));
    return from < size ? { from, to: size - 1 } : 'unsatisfiable';
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return null;
  return from < size ? { from, to } : 'unsatisfiable';
}
