// What the package offers.

export { ApiError, NetworkError, TidemarkError } from './errors.ts';
export type { StreamOptions } from './event-source.ts';
export { column, Expression, type ExpressionValue, where } from './expression.ts';
export { type Query, queryString } from './query-string.ts';
export { type RetryDelay, retryDelay } from './retry.ts';
export { type Page, Rows } from './rows.ts';
export type { Selected } from './selected.ts';
export { type ListingEvent, type PublicationEvent, type ReadOptions, Tidemark } from './tidemark.ts';
export type { RequestOptions, TidemarkOptions } from './transport.ts';
export type * from './types.ts';
