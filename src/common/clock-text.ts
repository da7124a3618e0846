// The time of a response as text.

let second = Number.NaN;
let secondText = '';

/** `YYYY-MM-DD HH:MM:SS`, UTC. Made once per second. */
export function clockText(now: number): string {
  const asked = Math.floor(now / 1000);
  if (asked !== second) [second, secondText] = [asked, new Date(now).toISOString().slice(0, 19).replace('T', ' ')];
  return secondText;
}
