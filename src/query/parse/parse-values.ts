// Checks and converts the value of one parameter, or throws an error that says what the parameter accepts.

import { ApiError, quoted } from '../../errors.ts';
import { PARAMETERS, type ParameterName } from '../parameters.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export function parseInteger(name: ParameterName, text: string): number {
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw invalidValue(name, text, `${PARAMETERS[name].takes} to ${Number.MAX_SAFE_INTEGER}`);
}

export function parseChoice<const Choice extends string>(
  name: ParameterName,
  text: string,
  choices: readonly Choice[],
  takes?: string,
): Choice {
  const choice = choices.find(each => each === text.toLowerCase());
  if (choice === undefined) throw invalidValue(name, text, takes);
  return choice;
}

export function parseFlag(name: ParameterName, text: string): boolean {
  const flag = flagOf(text);
  if (flag === null) throw invalidValue(name, text);
  return flag;
}

/** `true`, `false`, `1` or `0` in any case; null for anything else. */
export function flagOf(text: string): boolean | null {
  switch (text.trim().toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return null;
  }
}

/** Names that may not be columns, but could be: another separator than a comma would otherwise exclude nothing, unnoticed. */
export function parseColumnNames(text: string): string[] {
  return listItems(text).map(item => {
    const name = /^\[(.*)\]$/.exec(item)?.[1] ?? item;
    if (!/^\w+$/.test(name)) throw invalidValue('excl_cols', item);
    return name;
  });
}

/** At least one item. */
export function parseList(name: ParameterName, text: string): string[] {
  const items = listItems(text);
  if (items.length === 0) throw invalidValue(name, text);
  return items;
}

/** The items between commas, trimmed, without empty ones. */
export function listItems(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

/** A number as in JSON that a double can hold; null for anything else. Never -0, which equals 0. */
export function parseNumber(text: string): number | null {
  // The plus of `1e+5` arrives as a space unless the client encoded it.
  const written = text.trim().replace(/(?<=\d[eE]) (?=\d)/, '+');
  if (!JSON_NUMBER.test(written)) return null;
  const value = Number(written);
  return Number.isFinite(value) ? value + 0 : null;
}

export function invalidValue(name: ParameterName, text: string, takes: string = PARAMETERS[name].takes): ApiError {
  const detail = text === '' ? `${name} has no value.` : `${name} cannot be ${quoted(text)}.`;
  return new ApiError('invalid_value', detail, { param: name, hint: `${name} takes ${takes}.` });
}
