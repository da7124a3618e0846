// Tool errors that a model can act on: what was wrong, the nearest valid name, and a corrected call.

import { nearest } from '../common/nearest.ts';
import { TA_CUR } from '../domain/datasets.ts';
import type { ApiError } from '../errors.ts';
import { Given } from './arguments.ts';
import { columnNames, type Tool } from './tool.ts';

type Values = Readonly<Record<string, unknown>>;

/** A call with more mistakes than this is answered with the example of the tool. */
const MOST_CORRECTIONS = 5;

export function errorText(tool: Tool, values: Values, error: ApiError): string {
  const lines = [`Error ${error.code}: ${error.detail}`];
  if (error.hint !== undefined) lines.push(error.hint);
  if (error.candidates !== undefined) lines.push(`Candidates: ${error.candidates.join(', ')}`);
  const corrected = error.status < 500 ? correctedCall(tool, values, error) : null;
  if (corrected !== null) lines.push(`Corrected call: ${tool.name} ${JSON.stringify(corrected)}`);
  else if (error.status < 500) lines.push(`A valid call: ${tool.name} ${JSON.stringify(tool.example)}`);
  return lines.join('\n');
}

/** Null if the mistake cannot be corrected by a name. */
function correctedCall(tool: Tool, values: Values, error: ApiError): Values | null {
  let [call, mistake]: [Values, ApiError | null] = [values, error];
  for (let i = 0; i < MOST_CORRECTIONS && mistake !== null; i++) {
    const next = withCorrection(tool, call, mistake);
    if (next === null) return null;
    [call, mistake] = [next, mistakeIn(tool, next)];
  }
  return mistake === null ? call : null;
}

function mistakeIn(tool: Tool, values: Values): ApiError | null {
  try {
    tool.check(new Given(tool.arguments, values));
    return null;
  } catch (error) {
    return error as ApiError; // `check` throws nothing else
  }
}

function withCorrection(tool: Tool, values: Values, error: ApiError): Values | null {
  const { code, param = '', position } = error;
  const value = values[param];
  switch (code) {
    case 'unknown_parameter': {
      const name = nearest(param, Object.keys(tool.arguments));
      const { [param]: moved, ...others } = values;
      return name === null ? others : { ...others, [name]: moved };
    }
    case 'unknown_asset':
      return withNearest(values, 'asset', error.hint);
    case 'ambiguous_symbol':
      return { ...values, asset: error.candidates?.[0] };
    case 'invalid_value':
      return tool.arguments[param]?.type === 'choice' ? withNearest(values, param, error.hint) : null;
    case 'unknown_column':
      if (param === 'where' && typeof value === 'string' && position !== undefined) {
        return withColumn(values, value, position);
      }
      return withNames(values, param);
    case 'invalid_expression':
      return typeof value === 'string' ? withOperators(values, value) : null;
    default:
      return null;
  }
}

function withNearest(values: Values, name: string, hint: string | undefined): Values | null {
  const [, near] = /^Did you mean (.+)\?$/.exec(hint ?? '') ?? [];
  return near === undefined ? null : { ...values, [name]: near };
}

const COLUMNS = columnNames(TA_CUR);

function withColumn(values: Values, where: string, position: number): Values | null {
  const [name] = /^\w+/.exec(where.slice(position)) ?? [];
  const near = name === undefined ? null : nearest(name, COLUMNS);
  if (name === undefined || near === null) return null;
  return { ...values, where: where.slice(0, position) + near + where.slice(position + name.length) };
}

/** The unknown ones replaced; those without a similar column are left out. */
function withNames(values: Values, param: string): Values | null {
  const value = values[param];
  const items = Array.isArray(value) ? value : String(value).split(',');
  const known = items.flatMap(item => nearest(String(item).trim(), COLUMNS) ?? []);
  if (known.length === 0) return null;
  return { ...values, [param]: Array.isArray(value) ? known : known.join() };
}

/** What other languages write for the same. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/&&?/g, ' and '],
  [/\|\|?/g, ' or '],
  [/===?/g, '='],
  [/<>/g, '!='],
  [/!(?!=)/g, ' not '],
  [/"/g, "'"],
  [/(\d)\s*%/g, '$1'],
];

function withOperators(values: Values, where: string): Values | null {
  // The texts between quotation marks, at the odd places, stay as they are.
  const parts = where.split(/('[^']*')/).map((part, i) => (i % 2 === 1 ? part : withOperatorsOf(part)));
  const text = parts.join('');
  return text === where ? null : { ...values, where: text };
}

function withOperatorsOf(part: string): string {
  return REPLACEMENTS.reduce((rest, [from, to]) => rest.replace(from, to), part).replace(/ {2,}/g, ' ');
}
