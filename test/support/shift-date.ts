// The time of day of this process, off by some milliseconds. Timers and the monotonic clock stay right, as when the clock of a machine
// is set.

export function shiftDate(shift: () => number): void {
  const RealDate = Date;
  const now = RealDate.now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now() + shift()] : args, self),
    get: (target, name, self) => (name === 'now' ? () => now() + shift() : Reflect.get(target, name, self)),
  });
}
