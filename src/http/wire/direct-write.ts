// Writes to a connection without the bookkeeping of Node's streams, which makes several objects per write. A publication writes to
// thousands of connections, and collecting those objects would delay other clients. Uses what Node does not document: whatever is
// different from what is expected here is written by the public interface, which is slower but right.

import type { Socket } from 'node:net';

/** What a TCP connection writes with. */
interface TcpHandle {
  /**
   * Hands bytes to the operating system. `request` is used for the rest, if it does not take all of them at once. Returns an error
   * number, or 0.
   */
  writeBuffer(request: WriteRequest, bytes: Buffer): number;
}

/** What is undocumented of a connection. */
interface Internals {
  readonly _handle?: Partial<TcpHandle> | null;
  /** Begins the time anew after which a silent connection is closed. */
  readonly _unrefTimer?: () => void;
}

interface WriteRequest {
  /** A number above 0 from the write that uses it until `oncomplete`; also if the rest has been taken by then. */
  getAsyncId(): number;
  /** Called when the operating system has taken the rest, or never will. */
  oncomplete?: (...results: unknown[]) => void;
}

type NewRequest = new () => WriteRequest;

/** Null: not known yet. False: this Node writes in another way. */
let newRequest: NewRequest | null | false = null;
/** Left over by writes that were done at once, and so did not use it. */
let spare: WriteRequest | null = null;

/** Writes bytes, and returns how many bytes wait to be sent. */
export function writeDirectly(socket: Socket, bytes: Buffer): number {
  const handle = socket.writableLength === 0 && socket.writableCorked === 0 ? tcpHandleOf(socket) : null;
  if (handle === null || newRequest === false) socket.write(bytes);
  else if (newRequest === null) newRequest = learnRequest(socket, handle, bytes);
  else {
    spare ??= new newRequest();
    const error = handle.writeBuffer(spare, bytes);
    if (error === 0 && spare.getAsyncId() < 0) {
      (socket as Internals)._unrefTimer?.(); // `tcpHandleOf` has looked for it
      return 0;
    }
    adoptWrite(socket, handle, bytes, spare, error);
    spare = null;
  }
  return socket.writableLength;
}

/** Whether connections are written to directly. Known after the first write. */
export function writesDirectly(): boolean {
  return newRequest !== null && newRequest !== false;
}

function tcpHandleOf(socket: Socket): TcpHandle | null {
  const { _handle: handle, _unrefTimer: restartTimer } = socket as Internals; // if they exist
  if (handle?.constructor.name !== 'TCP' || socket.destroyed || socket.connecting) return null;
  return typeof handle.writeBuffer === 'function' && typeof restartTimer === 'function'
    ? (handle as TcpHandle) // all of it
    : null;
}

/** Writes by the public interface, and finds out what Node passes to the handle. */
function learnRequest(socket: Socket, handle: TcpHandle, bytes: Buffer): NewRequest | false {
  let found: NewRequest | false = false;
  insteadOfHandle(socket, handle, bytes, (request, given) => {
    const { constructor: kind } = request;
    const isKnown = given === bytes && kind.name === 'WriteWrap' && request.getAsyncId?.() < 0;
    if (isKnown) found = kind as NewRequest; // by its name
    return Object.getPrototypeOf(handle).writeBuffer.call(handle, request, given);
  });
  return found;
}

/** Lets the socket know of a write that has failed or is under way, as if it had begun it itself. */
function adoptWrite(socket: Socket, handle: TcpHandle, bytes: Buffer, begun: WriteRequest, error: number): void {
  insteadOfHandle(socket, handle, bytes, request => {
    begun.oncomplete = (...results) => request.oncomplete?.(...results);
    return error;
  });
}

function insteadOfHandle(socket: Socket, handle: TcpHandle, bytes: Buffer, write: TcpHandle['writeBuffer']): void {
  Object.defineProperty(handle, 'writeBuffer', { value: write, configurable: true });
  socket.write(bytes);
  Reflect.deleteProperty(handle, 'writeBuffer');
}
