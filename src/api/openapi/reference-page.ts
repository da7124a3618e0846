// The API reference page: Swagger UI, and below it every error code at the anchor that error responses link to.
//
// Addresses are relative, so that the page also works behind a proxy that adds a prefix.

import { DEMO_KEYS } from '../../domain/api-key.ts';
import { ERRORS } from '../../errors.ts';
import { problemUri } from '../../http/wire/problem.ts';

export function referencePage(simulated: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidemark API reference</title>
<link rel="icon" type="image/svg+xml" href="docs/tidemark.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
<script src="docs/reference-theme.js"></script>
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/reference.js" defer></script>
</head>
<body>
<header class="masthead">
<a class="brand" href="./"><img src="docs/tidemark.svg" alt="" width="28" height="28">Tidemark</a>
<nav aria-label="Main">
<a href="./">Screener</a>
<a href="map">Map</a>
<a href="alerts">Alerts</a>
</nav>
<nav aria-label="On this page">
<a href="#reference">Reference</a>
<a href="#errors">Errors</a>
<a href="v1/openapi.json">openapi.json</a>
</nav>
</header>
${simulated ? '<p class="notice">Demo: the assets are invented and the prices are simulated.</p>\n' : ''}<main>
<div id="reference"${simulated ? ` data-api-key="${DEMO_KEYS.pro}"` : ''}><noscript><p>The reference needs JavaScript. <a href="v1/openapi.json">openapi.json</a> has the same content.</p></noscript></div>
<section id="errors" class="errors">
<h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> with a <code>code</code>. A code is never renamed and never reused for another error.</p>
${Object.entries(ERRORS).map(errorEntry).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function errorEntry([code, { status, title, doc }]: [string, (typeof ERRORS)[keyof typeof ERRORS]]): string {
  const anchor = problemUri(code).split('#')[1] ?? code;
  const heading = `<h3><a href="#${anchor}"><code>${code}</code></a> <span>${status} ${escaped(title)}</span></h3>`;
  return `<article id="${anchor}">${heading}<p>${formatted(doc)}</p></article>`;
}

/** Code between backticks. */
function formatted(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
