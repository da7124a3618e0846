// The nights in which clocks change where people have summer time: a file in local time lacks an hour of one, or has one twice.

const HOUR_MS = 3_600_000;

/** Whether clocks go forward around this hour, in Europe (last Sunday of March) or North America (second one). */
export function isSpringNight(instant: number): boolean {
  const date = new Date(instant);
  if (date.getUTCMonth() !== 2 || date.getUTCDay() !== 0 || date.getUTCHours() > 3) return false;
  const day = date.getUTCDate();
  return day > 24 || (day > 7 && day <= 14);
}

/** Whether clocks go back around this hour, in Europe (last Sunday of October) or North America (first one of November). */
export function isAutumnNight(instant: number): boolean {
  const date = new Date(instant);
  if (date.getUTCDay() !== 0 || date.getUTCHours() > 3) return false;
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  return (month === 9 && day > 24) || (month === 10 && day <= 7);
}

/** Whether what is missing between two times is one hour. */
export function isHourMissing(before: number, after: number, length: number): boolean {
  return Math.abs(after - before) === HOUR_MS + length;
}
