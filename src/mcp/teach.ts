// Tool errors that a model can act on: what was wrong, the nearest valid name, and a corrected call.

import { nearest } from '../common/nearest.ts';
import { TA_CUR } from '../domain/datasets.ts';
import type { ApiError } from '../errors.ts';
import { LOST_PLUS } from '../query/expression/parser.ts';
import { Arguments } from './arguments.ts';
import { withArgument, withDay, withOperators } from './correct-values.ts';
import { exampleAsset } from './find-asset.ts';
import { type CallContext, columnNames, type Tool, type Values } from './tool.ts';

/** A call with more mistakes than this is answered with the example of the tool. */
const MOST_CORRECTIONS = 5;

export function errorText(tool: Tool, values: Values, error: ApiError, { data }: CallContext): string {
  const lines = [`Error ${error.code}: ${error.detail}`];
  if (error.hint !== undefined) lines.push(hintText(error.hint));
  if (error.candidates !== undefined) lines.push(`Candidates: ${error.candidates.join(', ')}`);
  const corrected = error.status < 500 ? correctedCall(tool, values, error) : null;
  if (corrected !== null) lines.push(`Corrected call: ${tool.name} ${JSON.stringify(corrected)}`);
  else if (error.status < 500) {
    const example = tool.example(exampleAsset(data.fingerprint() === '' ? null : data.snapshot()));
    lines.push(`A valid call: ${tool.name} ${JSON.stringify(example)}`);
  }
  return lines.join('\n');
}

/** An argument is not in a URL. */
function hintText(hint: string): string {
  return hint === LOST_PLUS ? 'An operator is missing between two values.' : hint;
}

/** Null if the mistake cannot be corrected. */
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
    tool.check(new Arguments(tool.arguments, values));
    return null;
  } catch (error) {
    return error as ApiError; // `check` throws nothing else
  }
}

function withCorrection(tool: Tool, values: Values, error: ApiError): Values | null {
  const { code, param = '', position } = error;
  const value = values[param];
  switch (code) {
    case 'unknown_parameter':
      return withArgument(tool, values, param);
    case 'unknown_asset':
      return withMeant(values, 'asset', error);
    case 'invalid_value':
      return withValue(tool, values, error);
    case 'invalid_range':
      return { ...values, from: values['to'], to: values['from'] };
    case 'unknown_column':
      if (param === 'where' && typeof value === 'string' && position !== undefined) {
        return withColumn(values, value, position, error.meant);
      }
      return withNames(values, param);
    case 'invalid_expression':
      return typeof value === 'string' ? withOperators(values, value) : null;
    default:
      return null;
  }
}

function withValue(tool: Tool, values: Values, error: ApiError): Values | null {
  const { param = '' } = error;
  const argument = tool.arguments[param];
  const value = values[param];
  if (argument?.type === 'choice') return withMeant(values, param, error);
  if (argument?.type === 'day') return withDay(values, param);
  if (!Array.isArray(value) || value.length === 0) return null;
  // A list for a text: conditions are joined, of anything else only one can be meant.
  if (argument?.type === 'condition') return { ...values, [param]: value.map(each => `(${each})`).join(' and ') };
  return argument?.type === 'text' && value.length === 1 ? { ...values, [param]: value[0] } : null;
}

function withMeant(values: Values, name: string, { meant }: ApiError): Values | null {
  return meant === undefined ? null : { ...values, [name]: meant };
}

function withColumn(values: Values, where: string, position: number, meant: string | undefined): Values | null {
  const rest = where.slice(position);
  const tested = rest.replace(
    TAG_COLUMN,
    (_, operator, quoted, bare) => `${operator === '=' ? '' : 'not '}tag('${quoted ?? bare}')`,
  );
  if (tested !== rest) return { ...values, where: where.slice(0, position) + tested };
  const [name] = /^\w+/.exec(rest) ?? [];
  if (name === undefined || meant === undefined) return null;
  return { ...values, where: where.slice(0, position) + meant + where.slice(position + name.length) };
}

const COLUMNS = columnNames(TA_CUR);
/** A tag is not a column, since an asset has several. */
const TAG_COLUMN = /^tag\s*(!?=)\s*(?:'([\w-]+)'|([a-z]\w*))(?![-\w('])/i;

/** The unknown ones replaced; those without a similar column are left out. */
function withNames(values: Values, param: string): Values | null {
  const value = values[param];
  const items = Array.isArray(value) ? value : String(value).split(',');
  const known = items.flatMap(item => nearest(String(item).trim(), COLUMNS) ?? []);
  if (known.length === 0) return null;
  return { ...values, [param]: Array.isArray(value) ? known : known.join() };
}
