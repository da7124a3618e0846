// How old a close is, with a warning beyond two days.

const DAY_MS = 86_400_000;
const WARN_DAYS = 2;

/** Whole UTC days from a day such as 2026-06-30 to today. */
export function ageInDays(day: string, now: number): number {
  return Math.max(0, Math.floor(now / DAY_MS) - Math.floor(Date.parse(day) / DAY_MS));
}

export function ageText(age: number): string {
  if (age === 0) return 'today';
  return age === 1 ? '1 day old' : `${age} days old`;
}

export function AgeOfCloses({ day }: { readonly day: string }) {
  const age = ageInDays(day, Date.now());
  return <span class={age > WARN_DAYS ? 'badge warn' : undefined}>{ageText(age)}</span>;
}
