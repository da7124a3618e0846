// The OpenAPI document, and the reference page with the files that it loads.
//
// Every file has its own route, so the path of a request never reaches the file system.

import { readFile } from 'node:fs/promises';
import type { ServiceContext } from '../context.ts';
import { openApiDocument } from '../openapi/document.ts';
import { llmsText, referenceMarkdown } from '../openapi/reference-markdown.ts';
import { referencePage } from '../openapi/reference-page.ts';
import { type Document, pageHeaders } from '../wire/document.ts';
import type { DocumentRoute } from '../wire/route-matcher.ts';

/** Scripts from our own files only, none inline. Swagger UI's icons are data: images in its style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The files below `/docs/`. `#swagger-ui` is in package.json: the published package has copies of these two files. */
const FILES = {
  'swagger-ui-bundle.js': { contentType: SCRIPT, at: import.meta.resolve('#swagger-ui/swagger-ui-bundle.js') },
  'swagger-ui.css': { contentType: STYLE, at: import.meta.resolve('#swagger-ui/swagger-ui.css') },
  'reference.js': { contentType: SCRIPT, at: import.meta.resolve('../openapi/reference.js') },
  'reference-theme.js': { contentType: SCRIPT, at: import.meta.resolve('../openapi/reference-theme.js') },
  'reference.css': { contentType: STYLE, at: import.meta.resolve('../openapi/reference.css') },
  'tidemark.svg': { contentType: 'image/svg+xml', at: import.meta.resolve('../openapi/tidemark.svg') },
} as const;

export function documentationRoutes(context: ServiceContext): DocumentRoute[] {
  const page = (path: string, document: Document): DocumentRoute => ({ path, kind: 'document', document });
  return [
    page('/v1/openapi.json', {
      contentType: 'application/json; charset=utf-8',
      body: () => Buffer.from(JSON.stringify(openApiDocument(context.group, context.publicUrl))),
    }),
    page('/docs.md', {
      contentType: 'text/markdown; charset=utf-8',
      body: () => Buffer.from(referenceMarkdown(context)),
    }),
    page('/llms.txt', { contentType: 'text/plain; charset=utf-8', body: () => Buffer.from(llmsText(context)) }),
    page('/docs', {
      contentType: 'text/html; charset=utf-8',
      headers: pageHeaders(CONTENT_SECURITY_POLICY),
      body: () => Buffer.from(referencePage(context.simulated)),
    }),
    ...Object.entries(FILES).map(([name, { contentType, at }]) => ({
      ...page(`/docs/${name}`, { contentType, body: () => readFile(new URL(at)) }),
      label: '/docs/*',
    })),
  ];
}
