// The computed values of a row as bytes: little-endian doubles, the same in every database and on every processor.

export function bytesOfValues(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  putValues(new DataView(bytes.buffer), 0, values);
  return bytes;
}

export function putValues(target: DataView, at: number, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) target.setFloat64(at + i * 8, values[i]!, true);
}

export function valuesOfBytes(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(bytes.byteLength / 8);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat64(i * 8, true);
  return values;
}
