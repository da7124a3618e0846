// A clock that jumps, for `node --import`: the time of day of the process is off by the milliseconds that the file named by
// TIDEMARK_TEST_CLOCK holds at the moment.

import { readFileSync } from 'node:fs';
import { shiftDate } from './shift-date.ts';

const file = process.env['TIDEMARK_TEST_CLOCK'];
if (file !== undefined) {
  let shift = 0;
  const look = () => {
    shift = Number(readFileSync(file, 'utf8'));
  };
  look();
  setInterval(look, 20).unref();
  shiftDate(() => shift);
}
