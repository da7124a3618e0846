// Calls back once this thread has collected all shared memory of an object.

interface Counter {
  left: number;
  readonly callback: () => void;
}

const registry = new FinalizationRegistry((counter: Counter) => {
  if (--counter.left === 0) counter.callback();
});

export function whenFreed(content: object, callback: () => void): void {
  const buffers = new Set<SharedArrayBuffer>();
  collectBuffers(content, buffers);
  const counter = { left: buffers.size, callback };
  for (const buffer of buffers) registry.register(buffer, counter);
  if (buffers.size === 0) setImmediate(callback);
}

function collectBuffers(value: unknown, found: Set<SharedArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof SharedArrayBuffer) found.add(value.buffer);
  } else if (value instanceof SharedArrayBuffer) found.add(value);
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectBuffers(member, found);
  }
}
