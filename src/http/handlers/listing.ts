// The handler of every dataset with rows: parse, query, render.

import { ByteCache, responseSize } from '../../common/byte-cache.ts';
import type { Steps } from '../../common/steps.ts';
import { DATASETS, type SnapshotDataset, type SnapshotDatasetName, TA_CUR } from '../../domain/datasets.ts';
import { type Day, dayOfMillis, isoFromDay, LAST_DAY } from '../../domain/day.ts';
import { FORMAT_NAMES, FORMATS, type FormatFacts, type FormatName } from '../../domain/formats.ts';
import type { Tier } from '../../domain/tiers.ts';
import { ApiError } from '../../errors.ts';
import { executeInSteps } from '../../query/execute/execute.ts';
import { PARAMETERS } from '../../query/parameters.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { renderChunks, renderParts, renderWhole, reuseChunk } from '../../render/chunks.ts';
import { pageOf, pageOfInSteps } from '../../render/computed-page.ts';
import { metadataText } from '../../render/metadata.ts';
import type { RowSelection } from '../../render/page.ts';
import { statesOf } from '../../snapshot/asset-states.ts';
import type { Snapshot, Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { acceptWeights } from '../wire/accept.ts';
import type { Answer, ApiRequest, Handler, Piece, Requester } from '../wire/answer.ts';
import { matches, weakTag } from '../wire/conditional.ts';
import { chooseEncoding, encoded, encoderFor } from '../wire/encoding.ts';
import { envelopeEnd, envelopeStart, linkFields, millis } from '../wire/envelope.ts';
import { type HeaderLines, headerLines } from '../wire/head.ts';
import { baseUrl, linkHeader, localAddress, type Neighbours, neighbours, pageLinks } from '../wire/links.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { type CachedPlan, PlanCache, type ResponseTemplate } from './plan-cache.ts';
import { dataHeaders, requireSnapshot } from './readiness.ts';
import { queryStreams, wantsStream } from './streams.ts';

/** Longer pages are rendered while they are sent, to bound memory and the time of one turn. */
const STREAM_FROM_ROWS = 500;
/** Pages up to this size are cached as a text, which Node sends together with the headers. */
const SHORT_BYTES = 16 * 2 ** 10;

/** Where the rows of a response come from. */
export interface Source {
  /** A function if the table is not in memory: it gives the source to use instead, perhaps of a newer snapshot. */
  readonly table: Table | (() => Promise<Source>);
  /** Different for any two sources with different rows. */
  readonly fingerprint: string;
  /** Of the snapshot. */
  readonly version: number;
  /** Rendered pages; null if none are cached. */
  readonly pages: ByteCache<RenderedPage> | null;
  /** Day of the closes, for the name of a CSV file; null or absent where the rows are days. */
  readonly day?: string | null;
}

/** The rows of a page; rendered, unless it is long. */
export interface RenderedPage {
  readonly rows: Uint32Array;
  readonly bytes: Piece | null;
  readonly neighbours: Neighbours;
}

/** The rendered pages of all listings, of the newest snapshot. */
export class PageCache {
  readonly #maxBytes: number;
  #fingerprint = '';
  #pages = new ByteCache<RenderedPage>(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(fingerprint: string): ByteCache<RenderedPage> {
    if (fingerprint !== this.#fingerprint) {
      [this.#fingerprint, this.#pages] = [fingerprint, new ByteCache(this.#maxBytes)];
    }
    return this.#pages;
  }
}

export function listingHandler(context: ServiceContext, dataset: SnapshotDataset, pages: PageCache): Handler {
  const stream = queryStreams(context);
  const plans = new PlanCache(dataset, context.observer, CACHE_SHARES.listingPlans * context.cacheBytes);
  return request => {
    const began = performance.now();
    const cached = plans.read(request.query);
    if (dataset.isStreamed && wantsStream(cached.plan, request.headers.accept)) return stream(request, cached.plan);
    const source = listedSource(context, cached.plan, dataset.name, pages, request.requester);
    return answerListing(context, request, cached, source, { began });
  };
}

/** The current table of a dataset, or that of a past day or with the inactive assets; with the optional columns if the plan needs one. */
export function listedSource(
  context: ServiceContext,
  { asOf: day, usesOptional, inactive }: Pick<Plan, 'asOf' | 'usesOptional' | 'inactive'>,
  name: SnapshotDatasetName,
  pages: PageCache | null,
  requester: Requester,
): Source {
  const current = requireSnapshot(context);
  const { fingerprint, version } = current;
  const known = pages?.of(fingerprint) ?? null;
  if (day === null && !inactive) {
    const found = usesOptional ? context.optional(current) : current;
    const currentSource = (snapshot: Snapshot): Source => ({
      table: snapshot.tables[name],
      fingerprint: snapshot.fingerprint,
      version: snapshot.version,
      pages: snapshot.fingerprint === fingerprint ? known : null,
      day: statesOf(snapshot.tables.assets).newestDay,
    });
    if (!(found instanceof Promise)) return currentSource(found);
    return { ...currentSource(current), table: () => found.then(currentSource) };
  }
  if (day !== null) requireReached(day, context.now());
  const dayName = `${fingerprint} ${day ?? 'newest'}${inactive ? ' inactive' : ''}`;
  const sourceOf = (past: Snapshot): Source => {
    const same = past.version === version;
    const named = same ? dayName : `${dayName} ${past.version}`;
    const pastPages = same ? known : null;
    return {
      table: past.tables[name],
      fingerprint: named,
      version: past.version,
      pages: pastPages,
      day: day === null ? statesOf(past.tables.assets).newestDay : isoFromDay(day),
    };
  };
  const past = context.past(current, { day, optional: usesOptional, inactive }, requester);
  if (!(past instanceof Promise)) return sourceOf(past);
  return { table: () => past.then(sourceOf), fingerprint: dayName, version, pages: known };
}

export function requireReached(day: Day, now: number): void {
  if (day <= (dayOfMillis(now) ?? LAST_DAY)) return;
  throw new ApiError('invalid_value', `as_of is ${isoFromDay(day)}, which is in the future.`, {
    param: 'as_of',
    hint: `as_of takes ${PARAMETERS.as_of.takes}.`,
  });
}

/** When the handler and the query began, by `performance.now()`. */
interface Begun {
  readonly began: number;
  readonly queried?: number;
}

export function answerListing(
  context: ServiceContext,
  request: ApiRequest,
  cached: CachedPlan,
  source: Source,
  { began, queried = performance.now() }: Begun,
): Answer | Promise<Answer> {
  const { plan } = cached;
  const template = templateFor(context, request, cached, source.fingerprint);
  cached.template = template;
  const own = dataHeaders(context, source.version) + template.headers;
  if (matches(request.headers['if-none-match'], template.tag)) return { status: 304, headers: own, body: null };

  const { table, pages } = source;
  if (typeof table === 'function') {
    return table().then(found => answerListing(context, request, cached, found, { began, queried }));
  }
  const known = pages?.get(template.rowsName);
  if (pages !== null) context.observer.lookedUp('page', known !== undefined);
  const page = known ?? request.run(pageInSteps(plan, template, table, pages));
  const answered = (found: RenderedPage) => {
    if (isCutOff(plan, request, template, found)) throw limitAboveTier(context, plan, request);
    template.links ??= linkTexts(context, plan, template, found.neighbours);
    const fetched = performance.now();
    const headers = own + template.links.headers;
    const { day = null } = source;
    const answering = { context, request, plan, template, table, page: found, day, headers, began, queried, fetched };
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
  readonly began: number;
  readonly queried: number;
  readonly fetched: number;
}

/** The rows alone, under a file name. */
function fileAnswer(answering: Answering, { contentType, extension }: FormatFacts): Answer | Promise<Answer> {
  const { context, plan, template, page, day, began, queried, fetched } = answering;
  const name = [context.group, plan.dataset.name.replace('/', '-'), ...(day === null ? [] : [day]), 'page', plan.page];
  const own = headerLines(
    'content-disposition',
    `attachment; filename="${name.join('-')}.${extension}"`,
    'server-timing',
    `data;dur=${millis(fetched - queried)}, total;dur=${millis(performance.now() - began)}`,
    'content-type',
    contentType,
  );
  return page.bytes === null ? streamed(answering, own, '', '') : whole(answering, own, [page.bytes], template.tag);
}

const JSON_TYPE = headerLines('content-type', FORMATS.json.contentType);

function jsonAnswer(answering: Answering): Answer | Promise<Answer> {
  const { context, plan, template, page, began, queried, fetched } = answering;
  const metadata = plan.meta ? metadataText(plan.dataset, plan.columns) : 'null';
  const metaTime = plan.meta ? performance.now() - fetched : 0;
  const took = performance.now() - began;
  const dataTime = fetched - queried;
  const start = envelopeStart(took, page.rows.length);
  const links = template.links?.inEnvelope ?? '';
  const end = envelopeEnd({ now: context.now(), metadata, metaTime, dataTime, links });
  // Numbers need no check.
  const timing = `data;dur=${millis(dataTime)}, meta;dur=${millis(metaTime)}, total;dur=${millis(took)}`;
  const own = `server-timing: ${timing}\r\n${JSON_TYPE}`;
  if (page.bytes === null) return streamed(answering, own, start, end);
  const body = typeof page.bytes === 'string' ? [start + page.bytes + end] : [start, page.bytes, end];
  // The envelope has the time in seconds: within one, clients share a compressed page, and the times that it states.
  return whole(answering, own, body, `${template.tag} ${Math.floor(context.now() / 1000)}`);
}

function whole(
  { request, headers }: Answering,
  own: HeaderLines,
  body: readonly Piece[],
  name: string,
): Answer | Promise<Answer> {
  return encoded({ status: 200, headers: headers + own, body }, request.headers['accept-encoding']?.toString(), name);
}

function streamed(answering: Answering, own: HeaderLines, start: string, end: string): Answer {
  const { request, plan, template, table, page } = answering;
  const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
  const coding = encoding === 'identity' ? '' : headerLines('content-encoding', encoding);
  function* chunks(): Generator<Buffer, void, undefined> {
    if (start !== '') yield Buffer.from(start, 'latin1');
    if (plan.computed.length === 0) yield* renderChunks(pageOf(plan, table, page.rows), template.format, plan.meta);
    else yield* renderParts(computedParts(plan, table, page.rows), template.format, plan.meta);
    if (end !== '') yield Buffer.from(end, 'latin1');
  }
  const body = { chunks, handedOver: reuseChunk, encoder: () => encoderFor(encoding) };
  return { status: 200, headers: answering.headers + own + coding, body };
}

/** Of a long page with computed columns, so many rows are in memory at a time. */
const PART_ROWS = 500;

function* computedParts(plan: Plan, table: Table, rows: Uint32Array): Generator<RowSelection, void, undefined> {
  for (let from = 0; from < rows.length; from += PART_ROWS) {
    yield pageOf(plan, table, rows.subarray(from, from + PART_ROWS));
  }
}

function templateFor(
  context: ServiceContext,
  request: ApiRequest,
  { plan, template }: CachedPlan,
  fingerprint: string,
): ResponseTemplate {
  const { tier, headers } = request;
  const format = plan.format === null || plan.format === 'sse' ? acceptedFormat(headers.accept) : plan.format;
  const limit = comesWhole(plan, tier, format) ? null : Math.min(plan.limit ?? tier.defaultRows, tier.maxRows);
  const base = baseUrl(context, headers, () => localAddress(request.socket));
  if (
    template !== null &&
    template.fingerprint === fingerprint &&
    template.limit === limit &&
    template.format === format &&
    template.base === base
  ) {
    return template;
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
      hint: `Use ${whole}. All rows of ${name} in one file: /v1/${group}/export/${name}.parquet${more}.`,
      candidates: [String(tier.maxRows)],
    },
  );
}

function* pageInSteps(
  plan: Plan,
  { limit, format, rowsName }: ResponseTemplate,
  table: Table,
  pages: ByteCache<RenderedPage> | null,
): Steps<RenderedPage> {
  const pageRows = limit ?? Math.max(1, table.rows);
  const found = yield* executeInSteps(plan, table, pageRows);
  yield;
  const rendered =
    found.rows.length > STREAM_FROM_ROWS
      ? null
      : renderWhole(yield* pageOfInSteps(plan, table, found.rows), format, plan.meta);
  const page = {
    // Without the unused rest of the buffer.
    rows: found.rows.byteLength < found.rows.buffer.byteLength ? found.rows.slice() : found.rows,
    bytes: rendered && keepable(rendered),
    neighbours: neighbours(found, plan.page, pageRows),
  };
  pages?.set(rowsName, page, responseSize(rowsName, page.rows.byteLength + (rendered?.length ?? 0)));
  return page;
}

function keepable(rendered: Buffer): Piece {
  return rendered.length <= SHORT_BYTES ? rendered.toString('latin1') : rendered;
}

function linkTexts({ group }: ServiceContext, plan: Plan, { base, limit }: ResponseTemplate, beside: Neighbours) {
  const parts = { limit, ...plan.sortInLinks, rest: plan.rest };
  const links = pageLinks(`${base}/v1/${group}/${plan.dataset.name}`, parts, beside);
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
