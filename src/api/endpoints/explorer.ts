// The explorer: the built page at `/`, `/map`, `/alerts` and `/asset/…`, and the files that it loads below `/app/`.
//
// Every file has its own route, so the path of a request never reaches the file system.

import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPlainSync } from '../../common/plain-file.ts';
import { DEMO_KEYS } from '../../domain/api-key.ts';
import { ApiError } from '../../errors.ts';
import { type Document, pageHeaders } from '../../http/document.ts';
import type { Route } from '../../http/routes.ts';
import type { ServiceContext } from '../context.ts';
import { documentEndpoint, documentRoute, type Endpoint } from '../endpoint.ts';
import { type JsonObject, ref } from '../json-schema.ts';
import { PAGE } from '../responses.ts';

const BUILT = new URL('../../../web/dist/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
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

export const explorer = [
  page('getExplorer', '/', 'Explorer: a web page with the screener'),
  page('getMapPage', '/map', "The explorer's map of assets"),
  page('getAlertsPage', '/alerts', "The explorer's page of alerts"),
  page('getAssetPage', '/asset/{id}', "The explorer's page of one asset", [ref('parameters', 'AssetId')]),
] as const;

function page(id: string, path: string, summary: string, pathParameters: readonly JsonObject[] = []): Endpoint {
  return documentEndpoint({
    id,
    path,
    tag: 'Service',
    summary,
    pathParameters,
    response: PAGE,
    document: context => (builtFiles() === null ? NOT_BUILT : pageDocument(context)),
  });
}

export function explorerFiles(): Route[] {
  return (builtFiles() ?? []).map(name => documentRoute({ path: `/app/${name}`, label: '/app/*' }, file(name)));
}

/** The names of the files below `app/`; null if the explorer was not built. */
function builtFiles(): string[] | null {
  try {
    const files = readdirSync(new URL('app/', BUILT), { withFileTypes: true });
    return files.filter(entry => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    // Any other failure may be temporary, and must not be remembered as if there were no explorer.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const NOT_BUILT: Document = {
  contentType: 'text/html; charset=utf-8',
  body: () => {
    throw new ApiError('not_found', 'The explorer is not built.', {
      hint: "Run 'npm run build', then restart the server.",
    });
  },
};

/** The name of a file changes with its content, so a browser may cache it for ever. */
function file(name: string): Document {
  return {
    contentType: TYPES[extname(name)] ?? 'application/octet-stream',
    cacheControl: 'public, max-age=31536000, immutable',
    body: () => readPlainSync(fileURLToPath(new URL(`app/${name}`, BUILT))),
  };
}

function pageDocument(context: ServiceContext): Document {
  return {
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(CONTENT_SECURITY_POLICY),
    cacheControl: 'no-cache',
    body: () => {
      const html = readPlainSync(fileURLToPath(new URL('index.html', BUILT))).toString();
      // A function, because `$` in a text means something.
      return Buffer.from(html.replace(/(?<=name="tidemark" content=")(?=")/, () => pageConfig(context)));
    },
  };
}

/** What the page needs for its first request. */
function pageConfig({ group, simulated, open, keyCommand }: ServiceContext): string {
  const demoKey = simulated ? DEMO_KEYS.pro : null;
  return JSON.stringify({ group, demoKey, open, keyCommand }).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
