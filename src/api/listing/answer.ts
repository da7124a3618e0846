// The response of a listing: its page in the requested format, with the envelope or as a file.

import { DATASETS, TA_CUR } from '../../domain/datasets.ts';
import { FORMATS, type FormatFacts } from '../../domain/formats.ts';
import { EXPORT_PATH, fillPath } from '../../domain/paths.ts';
import { ApiError } from '../../errors.ts';
import type { Answer, ApiRequest, Body, Stream } from '../../http/wire/answer.ts';
import { matches } from '../../http/wire/conditional.ts';
import { type HeaderLines, headerLines } from '../../http/wire/head.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { reuseChunk } from '../../render/chunks.ts';
import { metadataText } from '../../render/metadata.ts';
import type { Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { dataHeaders } from '../served-snapshot.ts';
import { envelopeEnd, envelopeStart, millis } from './envelope.ts';
import { longPage, pageInSteps, type RenderedPage } from './page.ts';
import type { CachedPlan } from './plan-cache.ts';
import type { Source } from './source.ts';
import { linkTexts, type ResponseTemplate, templateFor } from './template.ts';

/** `queried`: when the query began, by `performance.now()`. */
export function answerListing(
  context: ServiceContext,
  request: ApiRequest,
  cached: CachedPlan,
  source: Source,
  queried: number = performance.now(),
): Answer | Promise<Answer> {
  const { plan } = cached;
  const template = templateFor(context, request, plan, cached.template, source.fingerprint);
  cached.template = template;
  const own = dataHeaders(context, source.version) + template.headers;
  if (matches(request.headers['if-none-match'], template.tag)) return { status: 304, headers: own, body: null };

  const { table, pages, plan: ready = plan } = source;
  if (typeof table === 'function') {
    return table().then(found => answerListing(context, request, cached, found, queried));
  }
  const known = pages?.get(template.rowsName);
  if (pages !== null) context.observer.lookedUp('page', known !== undefined);
  const page = known ?? request.run(pageInSteps(ready, template, table, pages));
  const answered = (found: RenderedPage) => {
    if (isCutOff(plan, request, template, found)) throw limitAboveTier(context, plan, request);
    template.links ??= linkTexts(context, plan, template, found.neighbours);
    const fetched = performance.now();
    const headers = own + template.links.headers;
    const { day = null } = source;
    const answering = { context, request, plan: ready, template, table, page: found, day, headers, queried, fetched };
    return template.format === 'json' ? jsonAnswer(answering) : fileAnswer(answering, FORMATS[template.format]);
  };
  return page instanceof Promise ? page.then(answered) : answered(page);
}

interface Answering {
  readonly context: ServiceContext;
  readonly request: ApiRequest;
  readonly plan: Plan;
  readonly template: ResponseTemplate;
  readonly table: Table;
  readonly page: RenderedPage;
  readonly day: string | null;
  readonly headers: HeaderLines;
  readonly queried: number;
  readonly fetched: number;
}

/** The rows alone, under a file name. */
function fileAnswer(answering: Answering, { contentType, extension }: FormatFacts): Answer {
  const { context, request, plan, template, page, day, queried, fetched } = answering;
  const name = [context.group, plan.dataset.name.replace('/', '-'), ...(day === null ? [] : [day]), 'page', plan.page];
  const own = headerLines(
    'content-disposition',
    `attachment; filename="${name.join('-')}.${extension}"`,
    'server-timing',
    `data;dur=${millis(fetched - queried)}, total;dur=${millis(performance.now() - request.began)}`,
    'content-type',
    contentType,
  );
  return answer(answering, own, page.bytes === null ? streamed(answering, '', '') : [page.bytes], template.tag);
}

const JSON_TYPE = headerLines('content-type', FORMATS.json.contentType);

function jsonAnswer(answering: Answering): Answer {
  const { context, request, plan, template, page, queried, fetched } = answering;
  const metadata = plan.meta ? metadataText(plan.dataset, plan.columns, plan.interval, plan.unit) : 'null';
  const metaTime = plan.meta ? performance.now() - fetched : 0;
  const took = performance.now() - request.began;
  const dataTime = fetched - queried;
  const start = envelopeStart(took, page.rows.length);
  const links = template.links?.inEnvelope ?? '';
  const end = envelopeEnd({ now: context.now(), metadata, metaTime, dataTime, links });
  // Numbers need no check.
  const timing = `data;dur=${millis(dataTime)}, meta;dur=${millis(metaTime)}, total;dur=${millis(took)}`;
  const own = `server-timing: ${timing}\r\n${JSON_TYPE}`;
  // The envelope has the time in seconds: within one, clients share a compressed page, and the times that it states.
  const name = `${template.tag} ${Math.floor(context.now() / 1000)}`;
  if (page.bytes === null) return answer(answering, own, streamed(answering, start, end), name);
  return answer(
    answering,
    own,
    typeof page.bytes === 'string' ? [start + page.bytes + end] : [start, page.bytes, end],
    name,
  );
}

function answer({ headers }: Answering, own: HeaderLines, body: Body, compressAs: string): Answer {
  return { status: 200, headers: headers + own, body, compressAs };
}

function streamed({ plan, template, table, page }: Answering, start: string, end: string): Stream {
  function* chunks(): Generator<Buffer, void, undefined> {
    if (start !== '') yield Buffer.from(start, 'latin1');
    yield* longPage(plan, template, table, page.rows);
    if (end !== '') yield Buffer.from(end, 'latin1');
  }
  return { chunks, onSent: reuseChunk };
}

/** Whether a file has fewer rows than `limit` asks for, because the tier allows no more: readers of files see no header that says so. */
function isCutOff(plan: Plan, { tier }: ApiRequest, { format }: ResponseTemplate, page: RenderedPage): boolean {
  if (format === 'json' || plan.limit === null || plan.limit <= tier.maxRows) return false;
  const { next, prev } = page.neighbours;
  const pages = next ?? (prev === null ? 1 : page.rows.length > 0 ? prev + 1 : prev);
  return pages > 1;
}

function limitAboveTier({ group }: ServiceContext, { dataset, limit }: Plan, { tier }: ApiRequest): ApiError {
  const most = `limit=${tier.maxRows} with the pages that the header Link names`;
  const whole = dataset.ofOneAsset && tier.export ? 'no limit, which returns all rows of the asset in one page' : most;
  const { name } = DATASETS.find(each => each.name === dataset.name) ?? TA_CUR;
  const more = tier.export ? '' : ', for tiers that include exports';
  return new ApiError(
    'limit_above_tier',
    `limit is ${limit}; the tier ${tier.name} allows ${tier.maxRows} rows per page, and there are more.`,
    {
      param: 'limit',
      hint: `Use ${whole}. All rows of ${name} in one file: ${fillPath(EXPORT_PATH, { group, dataset: name })}${more}.`,
      candidates: [String(tier.maxRows)],
    },
  );
}
