// Everything in the response to a listing query except its rows: it is made once and used for many requests.

import { FORMAT_NAMES, FORMATS, type FormatName } from '../../domain/formats.ts';
import { datasetPath, fillPath } from '../../domain/paths.ts';
import type { Tier } from '../../domain/tiers.ts';
import { acceptWeights } from '../../http/wire/accept.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import { baseUrl, localAddress } from '../../http/wire/base-url.ts';
import { weakTag } from '../../http/wire/conditional.ts';
import { type HeaderLines, headerLines } from '../../http/wire/head.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { ServiceContext } from '../context.ts';
import { linkFields } from './envelope.ts';
import { linkHeader, type Neighbours, pageLinks } from './links.ts';

/** It depends on the first four. */
export interface ResponseTemplate {
  readonly fingerprint: string;
  /** Rows per page; null: all rows are in one. */
  readonly limit: number | null;
  readonly format: FormatName;
  readonly base: string;
  readonly tag: string;
  /** Of every response to the query, 304 included. */
  readonly headers: HeaderLines;
  /** Cache key of the rows: two queries that mean the same share them. */
  readonly rowsName: string;
  /** Depends on the page that was found; null until then. */
  links: { readonly inEnvelope: string; readonly headers: HeaderLines } | null;
}

/** `known`: of an earlier request with the same plan. */
export function templateFor(
  context: ServiceContext,
  { tier, headers, socket }: ApiRequest,
  plan: Plan,
  known: ResponseTemplate | null,
  fingerprint: string,
): ResponseTemplate {
  const format = plan.format === null || plan.format === 'sse' ? acceptedFormat(headers.accept) : plan.format;
  const limit = comesWhole(plan, tier, format) ? null : Math.min(plan.limit ?? tier.defaultRows, tier.maxRows);
  const base = baseUrl(context, headers, () => localAddress(socket));
  if (
    known !== null &&
    known.fingerprint === fingerprint &&
    known.limit === limit &&
    known.format === format &&
    known.base === base
  ) {
    return known;
  }
  const rowsName = [plan.canonical, plan.page, limit, format].join('\n');
  const tag = weakTag(fingerprint, rowsName, plan.rest, base);
  const applied = limit === null ? '' : headerLines('x-limit-applied', limit);
  const described = headerLines(
    'cache-control',
    `private, max-age=${context.maxAgeSeconds}`,
    'vary',
    'Accept, Accept-Encoding, Authorization, X-API-Key',
    'etag',
    tag,
  );
  return { fingerprint, limit, format, base, tag, headers: applied + described, rowsName, links: null };
}

/** A history in a file format, without `limit`: a tier that includes the file of all assets includes one asset in one page. */
function comesWhole({ dataset, limit }: Plan, tier: Tier, format: FormatName): boolean {
  return dataset.ofOneAsset && limit === null && format !== 'json' && tier.export;
}

export function linkTexts({ group }: ServiceContext, plan: Plan, template: ResponseTemplate, beside: Neighbours) {
  const { base, limit } = template;
  const parts = { limit, ...plan.sortInLinks, rest: plan.rest };
  const links = pageLinks(base + fillPath(datasetPath(plan.dataset.name), { group }), parts, beside);
  const header = linkHeader(links);
  return { inEnvelope: linkFields(links), headers: header === undefined ? '' : headerLines('link', header) };
}

/** The format that `Accept` names with the greatest weight; JSON if it names none, or JSON with a greater one. */
function acceptedFormat(header: string | undefined): FormatName {
  if (header === undefined || !/csv|ndjson|arrow/i.test(header)) return 'json';
  const weights = acceptWeights(header);
  let [best, bestWeight]: [FormatName, number] = ['json', weights.get(FORMATS.json.mediaType) ?? 0];
  for (const name of FORMAT_NAMES) {
    const weight = weights.get(FORMATS[name].mediaType) ?? 0;
    if (weight > 0 && (best === 'json' ? weight >= bestWeight : weight > bestWeight))
      [best, bestWeight] = [name, weight];
  }
  return best;
}
