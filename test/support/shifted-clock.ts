// A clock that jumps, for `node --import`: the time of day of the process is off by the milliseconds that the file named by
// TIDEMARK_TEST_CLOCK holds at the moment. Timers and the monotonic clock stay right, as when the clock of a machine is set.

import { readFileSync } from 'node:fs';

const file = process.env['TIDEMARK_TEST_CLOCK'];
if (file !== undefined) {
  let shift = 0;
  const look = () => {
    shift = Number(readFileSync(file, 'utf8'));
  };
  look();
  setInterval(look, 20).unref();
  const RealDate = Date;
  const now = RealDate.now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now() + shift] : args, self),
    get: (target, name, self) => (name === 'now' ? () => now() + shift : Reflect.get(target, name, self)),
  });
}
