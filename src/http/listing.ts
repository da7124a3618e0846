// The handler of every listing: parse, query, render.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dataset } from '../domain/datasets.ts';
import { TIERS } from '../domain/tiers.ts';
import { ApiError } from '../errors.ts';
import { execute } from '../query/execute.ts';
import { parsePlan } from '../query/parse-plan.ts';
import type { Plan } from '../query/plan.ts';
import { renderRowsCsv } from '../render/csv.ts';
import { renderRowsJson } from '../render/json.ts';
import { metadataFor } from '../render/metadata.ts';
import type { Snapshot, Table } from '../snapshot/table.ts';
import { matches, weakTag } from './conditional.ts';
import type { ServiceContext } from './context.ts';
import { envelopeBytes, millis } from './envelope.ts';
import { baseUrl, type LinkParts, linkHeader, localAddress, pageLinks } from './links.ts';
import { send } from './send.ts';

/**
 * Where a listing's table comes from. It is looked for at once, so that what is not there is never "not modified", but made
 * only when its rows are needed.
 */
export type FindTable = (snapshot: Snapshot, plan: Plan) => () => Table | Promise<Table>;

export function listingHandler(context: ServiceContext, dataset: Dataset, findTable: FindTable) {
  return async function listing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const began = performance.now();
    const query = rawQuery(request.raw.url ?? '');
    const plan = parsePlan(dataset, query);
    const tier = request.tier ?? TIERS.free;
    const snapshot = requireSnapshot(context);
    const makeTable = findTable(snapshot, plan);
    const limit = Math.min(plan.limit ?? tier.defaultRows, tier.maxRows);
    const format = plan.format ?? (acceptsCsv(request.headers.accept) ? 'csv' : 'json');
    const base = baseUrl(context, request.headers, localAddress(request.socket));
    const tag = weakTag(snapshot.fingerprint, plan.canonical, plan.page, limit, format, plan.rest, base);
    reply.headers({
      'x-limit-applied': limit,
      'cache-control': `private, max-age=${context.maxAgeSeconds}`,
      vary: 'Accept, Accept-Encoding, Authorization, X-API-Key',
      etag: tag,
    });
    if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send();

    const queried = performance.now();
    const table = await makeTable();
    const page = execute(plan, table, limit);
    const { rows } = page;
    const links = pageLinks(`${base}/v1/${context.group}/${dataset.name}`, linkParts(plan, limit), page);
    const link = linkHeader(links);
    if (link !== undefined) reply.header('link', link);

    if (format === 'csv') {
      const body = renderRowsCsv(table, rows, plan.columns);
      reply.header('content-disposition', `attachment; filename="${fileName(context, dataset, plan)}"`);
      reply.header('server-timing', timing({ data: performance.now() - queried, total: performance.now() - began }));
      return send(request, reply, 'text/csv; charset=utf-8; header=present', body);
    }
    const resultBytes = renderRowsJson(table, rows, plan.columns);
    const dataTime = performance.now() - queried;
    const metaBegan = performance.now();
    const metadata = plan.meta ? metadataFor(dataset, plan.columns) : null;
    const metaTime = plan.meta ? performance.now() - metaBegan : 0;
    const body = envelopeBytes(
      { resultBytes, rows: rows.length, metadata, metaTime, dataTime, now: context.now(), links },
      () => performance.now() - began,
    );
    reply.header('server-timing', timing({ data: dataTime, meta: metaTime, total: performance.now() - began }));
    return send(request, reply, 'application/json; charset=utf-8', body);
  };
}

export function requireSnapshot(context: ServiceContext): Snapshot {
  const snapshot = context.snapshot();
  if (snapshot === null) throw new ApiError('no_data', context.whyNotReady());
  return snapshot;
}

/** What stands behind the first question mark, as the client sent it. */
export function rawQuery(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function linkParts(plan: Plan, limit: number): LinkParts {
  const { page, order, rest } = plan;
  return { limit, page, order, rest, sort: plan.dataset.columns[plan.sort]!.name };
}

/** Whether the client prefers CSV: it must name it, with more weight than JSON. */
function acceptsCsv(header: string | undefined): boolean {
  const accept = header?.toLowerCase();
  if (accept === undefined || !accept.includes('csv')) return false;
  const weight = (type: string) => {
    const item = accept.split(',').find(part => part.split(';')[0]?.trim() === type);
    if (item === undefined) return 0;
    const q = /;\s*q=([\d.]+)/.exec(item)?.[1];
    return q === undefined ? 1 : Number(q);
  };
  return weight('text/csv') > 0 && weight('text/csv') >= weight('application/json');
}

function fileName({ group }: ServiceContext, dataset: Dataset, plan: Plan): string {
  return `${group}-${dataset.name}-page-${plan.page}.csv`;
}

function timing(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .map(([name, duration]) => `${name};dur=${millis(duration)}`)
    .join(', ');
}
