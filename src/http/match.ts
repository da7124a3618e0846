// The route of a request, by its method and path. A request that has none gets a route that answers it: preflights, and errors.

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { METHODS, methodNotAllowed, POST_METHODS } from './client-error.ts';
import { NO_ROUTE } from './observe/http-observer.ts';
import type { MatchedRoute, Routes } from './routes.ts';
import type { NotFound } from './service.ts';
import { acceptWeights } from './wire/accept.ts';
import type { Answer, ApiRequest } from './wire/answer.ts';
import { headerLines } from './wire/head.ts';
import { ALLOWED_HEADERS, BODY_HEADERS } from './wire/headers.ts';
import { type Problem, problemAnswer } from './wire/problem.ts';

/** Scheme and authority, which a proxy may send in front of the path (RFC 9112 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path and the query string. */
export function splitUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): [string, string] {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target || '/', ''] : [target.slice(0, mark) || '/', target.slice(mark + 1)];
}

export function matchRoute(routes: Routes, request: IncomingMessage, path: string, notFound: NotFound): MatchedRoute {
  const { method } = request;
  const posted = routes.findPost(path);
  try {
    requireHost(request);
    if (method === 'OPTIONS' || method === undefined) return answering(posted === null ? PREFLIGHT : POST_PREFLIGHT);
    const isRead = method === 'GET' || method === 'HEAD';
    const route = isRead || method === 'POST' ? routes.find(path) : null;
    if (route === null && isRead) {
      const { error, form } = notFound(path);
      return form === null ? missing(routes, request, error) : refusing(error, form);
    }
    if (route === null || isRead === (posted !== null)) {
      throw methodNotAllowed(method, posted === null ? METHODS : POST_METHODS);
    }
    route.post?.check(request);
    return route;
  } catch (error) {
    return refusing(error, method === 'POST' && posted !== null ? posted.problem : problemAnswer);
  }
}

function refusing(error: unknown, problem: Problem): MatchedRoute {
  const parse = () => {
    throw error;
  };
  return { ...WITHOUT_ROUTE, parse, problem };
}

/** A browser gets the page at `/`, which says that there is no such page; the problem if there is no page. */
function missing(routes: Routes, { headers }: IncomingMessage, error: ApiError): MatchedRoute {
  const isBrowser = (acceptWeights(headers.accept ?? '').get('text/html') ?? 0) > 0;
  const page = isBrowser ? routes.find('/')?.parse('') : undefined;
  if (page === undefined) throw error;
  const handle = async (request: ApiRequest): Promise<Answer> => {
    const { 'if-none-match': _, ...others } = request.headers;
    return { ...(await page({ ...request, headers: others })), status: 404, code: error.code };
  };
  return { ...WITHOUT_ROUTE, parse: () => handle };
}

const PREFLIGHT = preflight(METHODS, ALLOWED_HEADERS);
/** Only pages that `check` of the route lets through get an answer to their POST. */
const POST_PREFLIGHT = preflight(POST_METHODS, `${ALLOWED_HEADERS}, ${BODY_HEADERS}`);

function preflight(methods: string, headers: string): Answer {
  return {
    status: 204,
    headers: headerLines(
      'allow',
      methods,
      'access-control-allow-methods',
      methods,
      'access-control-allow-headers',
      headers,
      'access-control-max-age',
      86_400,
    ),
    body: null,
  };
}

function answering(answer: Answer): MatchedRoute {
  return { ...WITHOUT_ROUTE, parse: () => () => answer };
}

const WITHOUT_ROUTE: Omit<MatchedRoute, 'parse'> = {
  label: NO_ROUTE,
  needsApiKey: false,
  urgent: false,
  slashesRepeat: false,
  post: null,
  problem: problemAnswer,
  rest: '',
};

/** RFC 9112 3.2. Only HTTP/1.0 may omit it. */
function requireHost({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw new ApiError('bad_request', 'The request has two Host headers.', { hint: 'Send one.' });
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw new ApiError('bad_request', 'The request has no Host header.', { hint: 'HTTP/1.1 requires one.' });
}
