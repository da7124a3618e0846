// Intervals as people write them.

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `1h`, `1d` in milliseconds; null for anything else. */
export function parseInterval(text: string): number | null {
  const [, amount, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * UNITS[unit]!;
}
