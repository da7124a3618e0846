// The text of one expression with the parameter that it came in, so that every error names its place.

import { ApiError, type ErrorContext, quoted } from '../../errors.ts';
import { MAX_CHARACTERS, MAX_LAGGED, MAX_LAGS } from './limits.ts';

export interface ExpressionSource {
  readonly param: string;
  /** The decoded value of the parameter. Positions count its characters (UTF-16 code units), from 0. */
  readonly text: string;
  /** Where the expression begins in the value: behind the name of a `calc` column. */
  readonly start: number;
}

export function whereSource(text: string): ExpressionSource {
  return checkedLength({ param: 'where', text, start: 0 });
}

export function checkedLength(source: ExpressionSource): ExpressionSource {
  const length = source.text.length - source.start;
  if (length <= MAX_CHARACTERS) return source;
  throw tooLarge(source, source.start + MAX_CHARACTERS, `The expression has ${length} characters.`);
}

/** `detail` states what is wrong and what was expected; `position` is added to it. */
export function expressionError(source: ExpressionSource, at: number, detail: string, hint?: string): ApiError {
  return new ApiError('invalid_expression', `${detail} ${placeText(source, at)}`, context(source, at, hint));
}

export function unknownColumn(
  source: ExpressionSource,
  at: number,
  detail: string,
  hint: Pick<ErrorContext, 'hint' | 'meant'>,
): ApiError {
  return new ApiError('unknown_column', `${detail} ${placeText(source, at)}`, { ...context(source, at), ...hint });
}

export function tooLarge(source: ExpressionSource, at: number, detail: string): ApiError {
  const hint = 'One expression has at most 2,000 characters; one request has at most 200 operators and 8 calc columns.';
  return new ApiError('expression_too_large', detail, context(source, at, hint));
}

export function noPastValues(source: ExpressionSource, at: number, detail: string): ApiError {
  return new ApiError('no_past_values', `${detail} ${placeText(source, at)}`, context(source, at));
}

/** Of `lag`, `crosses_above` and `crosses_below`. */
export function lagsTooLarge(source: ExpressionSource, at: number, detail: string): ApiError {
  const hint = `One request reads at most ${MAX_LAGS} different numbers of earlier days, and ${MAX_LAGGED} columns of them.`;
  return new ApiError('expression_too_large', `${detail} ${placeText(source, at)}`, context(source, at, hint));
}

function context({ param }: ExpressionSource, position: number, hint?: string): ErrorContext {
  return hint === undefined ? { param, position } : { param, position, hint };
}

function placeText({ text }: ExpressionSource, at: number): string {
  if (at >= text.length) return `At position ${at}, the end.`;
  return `At position ${at}, before ${quoted(text.slice(at, at + 20).toWellFormed())}.`;
}
