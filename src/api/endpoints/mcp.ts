// `/mcp`: the Model Context Protocol over HTTP, without sessions. The official library checks and answers the messages.

import { responseSize } from '../../common/byte-cache.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { LISTED_INTERVALS } from '../../domain/interval.ts';
import type { ToolName } from '../../domain/tool-names.ts';
import { refuseForeign } from '../../http/protection/foreign-origin.ts';
import type { Answer, ApiRequest, Handler } from '../../http/wire/answer.ts';
import { baseUrl, localAddress } from '../../http/wire/base-url.ts';
import { headerLines } from '../../http/wire/head.ts';
import { isTooDeep } from '../../mcp/message-depth.ts';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '../../mcp/sdk.ts';
import { mcpServer } from '../../mcp/server.ts';
import type { CallContext, ToolData, ToolListing, Values } from '../../mcp/tool.ts';
import { callTool, type ToolResult } from '../../mcp/tools.ts';
import { readAssetReviews } from '../../publish/asset-reviews.ts';
import { requireInterval, requireQuote } from '../../query/execute/find-named.ts';
import type { Table } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { ServiceContext } from '../context.ts';
import { type ResponseFacts, toolEndpoint } from '../endpoint.ts';
import { exactly } from '../json-schema.ts';
import type { AssetSource } from '../listing/one-asset.ts';
import { plannedSource, type Source } from '../listing/source.ts';
import { json } from '../responses.ts';
import { rpcProblemAnswer } from '../rpc-problem.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { directAnswer, directCall } from './direct-call.ts';
import { historiesOf } from './ta-hist.ts';

/** A call has a few hundred bytes, and its longest expression 2,000 characters. */
const MAX_MESSAGE_BYTES = 64 * 2 ** 10;

const RPC_ID = { type: ['string', 'number', 'null'] };
const RPC_MESSAGE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, method: { type: 'string' }, params: { type: 'object' } },
  ['id', 'params'],
);
const RPC_RESPONSE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, result: { type: 'object' }, error: { type: 'object' } },
  ['id', 'result', 'error'],
);

const result = (description: string): ResponseFacts => ({
  description,
  headers: ['Cache-Control'],
  content: json(RPC_RESPONSE),
});

/** Every error is one of JSON-RPC. Those of HTTP have the members of a problem in `data`. */
export const mcp = toolEndpoint({
  id: 'callTool',
  path: '/mcp',
  tag: 'Agents',
  summary: 'One message of the Model Context Protocol',
  description:
    'Streamable HTTP without sessions; revisions 2026-07-28 and 2025-11-25 and older. The tools are screen_assets, search_assets, get_asset, ' +
    'get_history and describe_columns. A mistake in the arguments of a tool is a result with `isError`.',
  requestBody: {
    required: true,
    description: 'One JSON-RPC 2.0 message, at most 64 kB.',
    content: { 'application/json': { schema: RPC_MESSAGE } },
  },
  errors: ['foreign_origin', 'body_too_large'],
  response: {
    200: result('The response.'),
    202: { description: 'A notification was received.', headers: ['Cache-Control'] },
    400: { content: json(RPC_RESPONSE) },
    404: result('The method is unknown; older revisions of the protocol have status 200 for it.'),
    415: result('The `Content-Type` is not `application/json`.'),
  },
  post: context => ({
    maxBodyBytes: MAX_MESSAGE_BYTES,
    check: request => refuseForeign(context, request),
    problem: rpcProblemAnswer,
  }),
  handle: mcpHandler,
});

function toolData(
  context: ServiceContext,
  histories: AssetSource,
  { run, slot, requester }: Pick<ApiRequest, 'run' | 'slot' | 'requester'>,
): ToolData {
  const { group, simulated } = context;
  return {
    group,
    simulated,
    fingerprint: () => context.snapshot()?.fingerprint ?? '',
    snapshot: () => requireSnapshot(context),
    listing(plan) {
      const source = plannedSource(context, plan, TA_CUR.name, null, { run, slot, requester });
      return typeof source.table === 'function' ? source.table().then(listingOf) : listingOf(source);
    },
    history({ id }, plan = { interval: '1d', quote: null, usesOptional: false }) {
      requireInterval(context.intervals(), plan.interval, LISTED_INTERVALS);
      const terms = { ...plan, quote: requireQuote(requireSnapshot(context), plan.quote) };
      return slot(atTurn => histories({ by: 'id', text: id }, terms, { run, atTurn })).then(tableOf);
    },
    profile: ({ assetNumber }) => context.profile(assetNumber),
    reviews: ({ assetNumber }) => slot(() => context.sourced(store => readAssetReviews(store, assetNumber))),
  };
}

function listingOf({ earlier = new Map(), ...source }: Source): ToolListing {
  return { table: tableOf(source), earlier };
}

function tableOf({ table }: Source): Table {
  if (typeof table === 'function') throw new Error('the rows are not in memory');
  return table;
}

/** Both generations of the protocol: each request states its revision, or a client begins with `initialize`. */
function mcpHandler(context: ServiceContext): Handler {
  const histories = historiesOf(context);
  /** Of the newest snapshot, by tool and arguments. */
  const answers = new VersionedCache<ToolResult>(CACHE_SHARES.toolAnswers * context.cacheBytes);
  const exchanges = new WeakMap<Request, Exchange>();
  const factory: McpServerFactory = ({ requestInfo }) => {
    const exchange = exchanges.get(requestInfo!)!; // set below, for every request that the library gets
    return mcpServer(context.version, async name => {
      try {
        return await call(name, argumentsOf(exchange.message), exchange.context);
      } catch (error) {
        exchange.failure = error;
        throw error;
      }
    });
  };
  // The service never notifies clients: subscriptions would only hold connections.
  const modern = createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0 });

  return request => {
    const { headers, body, tier, socket } = request;
    if (isTooDeep(body)) return toAnswer(refusal(-32_600, 'Invalid request: the message is nested too deeply.'));
    const message = parsed(body);
    const base = baseUrl(context, headers, () => localAddress(socket));
    const data = toolData(context, histories, request);
    const callContext: CallContext = { data, maxRows: tier.maxRows, baseUrl: base, run: request.run };
    const direct = directCall(message, headers);
    if (direct !== null) {
      const result = call(direct.name, direct.values, callContext);
      const answered = (found: ToolResult) => directAnswer(direct, found, context.version);
      return result instanceof Promise ? result.then(answered) : answered(result);
    }
    if (message === undefined) return toAnswer(refusal(-32_700, 'Parse error: the body is not JSON.'));
    // A list of messages would be many calls for one request of the rate limit. The protocol has no lists since 2025-06-18.
    if (Array.isArray(message)) return toAnswer(refusal(-32_600, 'Invalid request: send one message per request.'));
    const web = new Request(ADDRESS, { method: 'POST', headers: protocolHeaders(headers) });
    const exchange: Exchange = { context: callContext, message };
    exchanges.set(web, exchange);
    return answered(web, exchange).then(toAnswer);
  };

  function call(name: ToolName, values: Values, callContext: CallContext): ToolResult | Promise<ToolResult> {
    const counted = (result: ToolResult) => {
      context.observer.toolCalled(name, result.isError ? 'error' : 'ok');
      return result;
    };
    const failed = (error: unknown): never => {
      context.observer.toolCalled(name, 'error');
      throw error;
    };
    try {
      const result = cached(name, values, callContext);
      return result instanceof Promise ? result.then(counted, failed) : counted(result);
    } catch (error) {
      return failed(error);
    }
  }

  function cached(name: ToolName, values: Values, callContext: CallContext): ToolResult | Promise<ToolResult> {
    const kept = answers.of(callContext.data.fingerprint());
    const key = JSON.stringify([name, values, callContext.maxRows, callContext.baseUrl]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const result = callTool(name, values, callContext);
    // What had to wait may be of a newer snapshot.
    if (!(result instanceof Promise)) kept.set(key, result, responseSize(key, 2 * result.text.length));
    return result;
  }

  async function answered(web: Request, exchange: Exchange): Promise<Response> {
    const { message } = exchange;
    const isOld = await isLegacyRequest(web, message);
    if (!isOld && methodOf(message) === LISTEN) return methodNotFound(message);
    const response = await (isOld ? legacy(factory, web, message) : modern.fetch(web, { parsedBody: message }));
    // The library would tell the client what failed inside, and nobody else.
    if (exchange.failure !== undefined) throw exchange.failure;
    return response;
  }
}

/** One message that the library answers. */
interface Exchange {
  readonly context: CallContext;
  readonly message: unknown;
  /** What a tool threw. */
  failure?: unknown;
}

/** As they were sent: the library leaves out the name `__proto__`, and a filter under a wrong name must not get lost. */
function argumentsOf(message: unknown): Values {
  return (message as { params: { arguments?: Values } }).params.arguments ?? {}; // checked by the library
}

/** The library has subscriptions, and with a limit of none calls them a failure of the server. */
const LISTEN = 'subscriptions/listen';

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
}

/** As the library answers for a method that it does not know. */
function methodNotFound(message: unknown): Response {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }, { status: 404 });
}

/** The library wants a URL; nothing reads it. */
const ADDRESS = 'http://tidemark/mcp';

async function legacy(factory: McpServerFactory, web: Request, parsedBody: unknown): Promise<Response> {
  const server = await factory({ era: 'legacy', requestInfo: web });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody });
  } finally {
    await server.close();
  }
}

/** Undefined if it is not JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status: 400 });
}

/** What the library reads. Every answer is JSON, so a client need not accept streams. */
function protocolHeaders(headers: ApiRequest['headers']): [string, string][] {
  const names = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const given = names.flatMap((name): [string, string][] => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, value]];
  });
  return [['accept', 'application/json, text/event-stream'], ...given];
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get('content-type');
  const headers = headerLines('cache-control', 'no-store') + (type === null ? '' : headerLines('content-type', type));
  return { status: response.status, headers, body: text === '' ? [] : [Buffer.from(text)] };
}
