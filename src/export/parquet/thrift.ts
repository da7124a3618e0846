// Writes Thrift's compact protocol, the form of Parquet's metadata.

/** A field of a struct, beside its number. */
export type ThriftValue =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'i8' | 'i16' | 'i32' | 'i64'; readonly value: number }
  | { readonly kind: 'binary'; readonly value: Uint8Array | string }
  | {
      readonly kind: 'list';
      readonly of: Exclude<ThriftValue['kind'], 'bool' | 'list'>;
      readonly items: readonly ThriftValue[];
    }
  | { readonly kind: 'struct'; readonly fields: ThriftStruct };

/** By field number; null and undefined are left out. */
export type ThriftStruct = Readonly<Record<number, ThriftValue | null | undefined>>;

const TYPE_IDS = { i8: 3, i16: 4, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;
const [TRUE, FALSE] = [1, 2];

export const bool = (value: boolean): ThriftValue => ({ kind: 'bool', value });
export const i32 = (value: number): ThriftValue => ({ kind: 'i32', value });
export const i64 = (value: number): ThriftValue => ({ kind: 'i64', value });
export const binary = (value: Uint8Array | string): ThriftValue => ({ kind: 'binary', value });
export const struct = (fields: ThriftStruct): ThriftValue => ({ kind: 'struct', fields });

export function list(of: 'i32' | 'binary' | 'struct', items: readonly ThriftValue[]): ThriftValue {
  return { kind: 'list', of, items };
}

export function thriftBytes(fields: ThriftStruct): Buffer {
  const out = new Output();
  writeStruct(out, fields);
  return out.bytes();
}

function writeStruct(out: Output, fields: ThriftStruct): void {
  let last = 0;
  // Numbers as keys of an object are in ascending order.
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    const number = Number(key);
    const type = value.kind === 'bool' ? (value.value ? TRUE : FALSE) : TYPE_IDS[value.kind];
    // Parquet's structs have no gap of 16 fields.
    out.byte(((number - last) << 4) | type);
    if (value.kind !== 'bool') writeValue(out, value);
    last = number;
  }
  out.byte(0);
}

function writeValue(out: Output, value: ThriftValue): void {
  switch (value.kind) {
    case 'bool':
      out.byte(value.value ? TRUE : FALSE);
      break;
    case 'i8':
      out.byte(value.value);
      break;
    case 'i16':
    case 'i32':
    case 'i64':
      out.varint(value.value >= 0 ? 2 * value.value : -2 * value.value - 1);
      break;
    case 'binary': {
      const bytes = typeof value.value === 'string' ? Buffer.from(value.value) : value.value;
      out.varint(bytes.length);
      out.add(bytes);
      break;
    }
    case 'list': {
      const { items } = value;
      const type = TYPE_IDS[value.of];
      if (items.length < 15) out.byte((items.length << 4) | type);
      else {
        out.byte(0xf0 | type);
        out.varint(items.length);
      }
      for (const item of items) writeValue(out, item);
      break;
    }
    case 'struct':
      writeStruct(out, value.fields);
  }
}

class Output {
  #bytes = Buffer.alloc(1024);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Not negative, and at most 2^53. */
  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte(128 | (rest % 128));
    this.byte(rest);
  }

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#length + size));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
