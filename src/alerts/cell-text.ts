// A value of a row for people who read a chat: `price 61,234.5 USD`.

import { numberFormat } from '../common/number-format.ts';
import type { Column } from '../domain/columns.ts';

const SHORT_UNITS: Readonly<Record<string, string>> = {
  percent: '%',
  'percent per year': '% per year',
  'units of the asset': 'units',
};

const plain = numberFormat({ maximumSignificantDigits: 6 });
const large = numberFormat({ notation: 'compact', maximumSignificantDigits: 4 });
const percent = numberFormat({ maximumFractionDigits: 2 });

export function cellText({ name, unit, kind }: Column, value: string | number | boolean | null): string {
  if (value === null) return `${name} unknown`;
  const text =
    typeof value === 'number' ? numberText(value, unit) : kind === 'time' ? String(value).slice(0, 10) : `${value}`;
  return unit === null || typeof value !== 'number'
    ? `${name} ${text}`
    : `${name} ${text} ${SHORT_UNITS[unit] ?? unit}`;
}

/** `61,234.5`, `84.15M`, `0.0000123457`; beyond the reach of either, with an exponent. */
function numberText(value: number, unit: string | null): string {
  const size = Math.abs(value);
  if (unit?.startsWith('percent') && size < 1e6) return percent(value);
  if (size >= 1e15 || (size > 0 && size < 1e-9)) return String(Number(value.toPrecision(6)));
  return (size >= 1e6 ? large : plain)(value);
}
