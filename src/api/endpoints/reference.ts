// The API reference: as a web page with the files that it loads, and as text for language models.
//
// Every file has its own route, so the path of a request never reaches the file system.

import { readFile } from 'node:fs/promises';
import { pageHeaders } from '../../http/document.ts';
import type { Route } from '../../http/routes.ts';
import { documentEndpoint, documentRoute } from '../endpoint.ts';
import { llmsText, referenceMarkdown } from '../openapi/reference-markdown.ts';
import { referencePage } from '../openapi/reference-page.ts';
import { PAGE, text } from '../responses.ts';

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

export const referenceText = documentEndpoint({
  id: 'getReferenceText',
  path: '/docs.md',
  tag: 'Service',
  summary: 'API reference as one Markdown page',
  response: text('text/markdown'),
  document: (context, endpoints) => ({
    contentType: 'text/markdown; charset=utf-8',
    body: () => Buffer.from(referenceMarkdown(context, endpoints)),
  }),
});

export const llmsIndex = documentEndpoint({
  id: 'getIndexForModels',
  path: '/llms.txt',
  tag: 'Service',
  summary: 'Index of the service for language models (llmstxt.org)',
  response: text('text/plain'),
  document: context => ({
    contentType: 'text/plain; charset=utf-8',
    body: () => Buffer.from(llmsText(context)),
  }),
});

export const reference = documentEndpoint({
  id: 'getReference',
  path: '/docs',
  tag: 'Service',
  summary: 'API reference as a web page, with the list of error codes',
  response: PAGE,
  document: ({ simulated }) => ({
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(CONTENT_SECURITY_POLICY),
    body: () => Buffer.from(referencePage(simulated)),
  }),
});

export function referenceFiles(): Route[] {
  return Object.entries(FILES).map(([name, { contentType, at }]) =>
    documentRoute({ path: `/docs/${name}`, label: '/docs/*' }, { contentType, body: () => readFile(new URL(at)) }),
  );
}
