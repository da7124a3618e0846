// Parameters that several endpoints in the shapes of other services have.

import { ApiError } from '../../errors.ts';
import { invalidValue, type ParameterFacts } from '../parameters.ts';

/** As they stand, without spaces around them. */
export function listParameter(doc: string, required?: true): ParameterFacts<string[]> {
  return {
    doc,
    takes: 'names separated by commas',
    schema: { type: 'string' },
    list: true,
    ...(required ? { required } : {}),
    parse: text => [
      ...new Set(
        text
          .split(',')
          .map(each => each.trim())
          .filter(each => each !== ''),
      ),
    ],
  };
}

export function flagParameter(doc: string): ParameterFacts<boolean> {
  return {
    doc,
    takes: 'true or false',
    schema: { type: 'boolean' },
    parse: text => (/^(?:true|1)$/i.test(text) ? true : /^(?:false|0)?$/i.test(text) ? false : null),
  };
}

/** One of these words, in any case. */
export function wordParameter<const W extends string>(
  doc: string,
  words: readonly W[],
  required?: true,
): ParameterFacts<W> {
  return {
    doc,
    takes: `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    ...(required ? { required } : {}),
    parse: text => words.find(word => word === text.toLowerCase()) ?? null,
  };
}

/** `most`: a larger number is lowered to it, as the services do. */
export function countParameter(doc: string, most: number): ParameterFacts<number> {
  return {
    doc,
    takes: 'an integer from 1',
    schema: { type: 'integer', minimum: 1 },
    parse: text => (/^\d{1,9}$/.test(text) && Number(text) >= 1 ? Math.min(Number(text), most) : null),
  };
}

export function textParameter(doc: string, required?: true): ParameterFacts<string> {
  return { doc, takes: 'a text', schema: { type: 'string' }, ...(required ? { required } : {}), parse: text => text };
}

/** A documented parameter that would change the answer in a way that the data does not allow. Any value is an error. */
export function unsupportedParameter(name: string, why: string): ParameterFacts<never> {
  return {
    doc: `Not supported: ${why}`,
    takes: 'no value',
    schema: { type: 'string' },
    parse: text => {
      if (text === '') return null;
      throw new ApiError('invalid_value', `${name} is not supported: ${why}`, { param: name });
    },
  };
}

/** More assets in one request than the tier has rows per page. */
export function requireFew(name: string, count: number, most: number): void {
  if (count > most) throw invalidValue(name, `${count} names`, `at most ${most} names with this API key`);
}
