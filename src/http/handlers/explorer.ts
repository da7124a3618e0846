// The explorer: the built page at `/` and `/asset/…`, and the files that it loads below `/app/`.
//
// Every file is a route of its own, so no path of a request ever reaches the file system.

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { DEMO_KEYS } from '../../domain/api-key.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import type { Route } from '../wire/route-matcher.ts';
import { pageHeaders, staticHandler } from '../wire/static-answer.ts';

const BUILT = new URL('../../../web/dist/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Nothing from another host, nothing inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function explorerRoutes(context: ServiceContext): Route[] {
  const files = builtFiles();
  const page = files === null ? notBuilt : pageHandler(context);
  return [
    { path: '/', keyed: false, handle: page },
    { path: '/asset/*', keyed: false, handle: page },
    ...(files ?? []).map(name => ({
      path: `/app/${name}`,
      label: '/app/*',
      keyed: false,
      handle: fileHandler(name),
    })),
  ];
}

/** The names of the files below `app/`; null where nothing was built. */
function builtFiles(): string[] | null {
  try {
    return readdirSync(new URL('app/', BUILT));
  } catch {
    return null;
  }
}

const notBuilt: Handler = () => {
  throw new ApiError('not_found', 'The explorer is not built.', { hint: "Run 'npm run build', then start again." });
};

/** Their names change with their content, so a browser may keep them for ever. */
function fileHandler(name: string): Handler {
  const contentType = TYPES[extname(name)] ?? 'application/octet-stream';
  return staticHandler({
    contentType,
    cacheControl: 'public, max-age=31536000, immutable',
    body: () => readFileSync(new URL(`app/${name}`, BUILT)),
  });
}

function pageHandler(context: ServiceContext): Handler {
  return staticHandler({
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(CONTENT_SECURITY_POLICY),
    cacheControl: 'no-cache',
    body: () => {
      const page = readFileSync(new URL('index.html', BUILT), 'utf8');
      return Buffer.from(
        page.replace('name="tidemark" content=""', `name="tidemark" content="${pageConfig(context)}"`),
      );
    },
  });
}

/** What the page must know before it can ask: the group, and whether and with what key. */
function pageConfig({ group, simulated, open }: ServiceContext): string {
  const demoKey = simulated ? DEMO_KEYS.pro : null;
  return JSON.stringify({ group, demoKey, open }).replaceAll('"', '&quot;');
}
