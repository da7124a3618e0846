// The API reference as Markdown (`/docs.md`) and its index for language models (`/llms.txt`), from the tables that the code uses.

import type { Column } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { datasetPath, fillPath } from '../../domain/paths.ts';
import { ERRORS } from '../../errors.ts';
import { REQUEST_HEADERS } from '../../http/wire/headers.ts';
import { EXPRESSION_GUIDE } from '../../mcp/expression-guide.ts';
import { TOOLS } from '../../mcp/tools.ts';
import { parameterFacts, parametersOf } from '../../query/parameters.ts';
import type { Endpoint } from '../endpoint.ts';

export interface ReferenceFacts {
  readonly group: string;
  readonly publicUrl: string | null;
  readonly simulated: boolean;
}

const SUMMARY =
  'Read-only market data of digital assets: daily prices, technical indicators and profiles over HTTP, as JSON and CSV.';
const SIMULATED = 'This service is a demo: its assets are invented and its prices simulated.';

/** The format of https://llmstxt.org: a title, a summary, and links. */
export function llmsText({ group, publicUrl, simulated }: ReferenceFacts): string {
  const base = publicUrl ?? '';
  const link = (name: string, path: string, what: string) => `- [${name}](${base}${path}): ${what}`;
  return `# Tidemark

> ${SUMMARY}${simulated ? ` ${SIMULATED}` : ''}

Every data request needs an API key: \`Authorization: Bearer KEY\`. Prices are daily closes in USD, days are UTC. An unknown parameter is an error.
Agents should use the Model Context Protocol server at \`POST ${base}/mcp\` with the same key: tools ${TOOLS.map(({ name }) => name).join(', ')}.

## Reference

${[
  link('API reference', '/docs.md', 'every endpoint, parameter, column and error, in one Markdown page'),
  link('OpenAPI', '/v1/openapi.json', 'OpenAPI 3.1'),
  link('Catalogue', '/v1/catalog', 'datasets and columns with units and formulas, as JSON'),
].join('\n')}

## Data

${LISTINGS.map(({ name, title, description }) => link(title, fillPath(datasetPath(name), { group }), description)).join('\n')}

## Optional

${link('Explorer', '/', 'a web page with the screener')}
`;
}

export function referenceMarkdown(facts: ReferenceFacts, endpoints: readonly Endpoint[]): string {
  return [
    `# Tidemark API reference\n\n${SUMMARY}${facts.simulated ? ` ${SIMULATED}` : ''}`,
    requestsText(),
    endpointsText(facts, endpoints),
    ...LISTINGS.map(dataset => datasetText(dataset, facts.group)),
    agentsText(),
    `# Expressions\n\n${EXPRESSION_GUIDE.replace(/^## .*\n/, '```text\n')}\n\`\`\``,
    errorsText(),
    '',
  ].join('\n\n');
}

function requestsText(): string {
  const headers = Object.entries(REQUEST_HEADERS).map(([name, { doc, example }]) => [`\`${name}: ${example}\``, doc]);
  return `# Requests\n\n${table(['header', 'meaning'], headers)}`;
}

function endpointsText({ group }: ReferenceFacts, endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(({ method, path, summary }) => [
    `\`${method.toUpperCase()} ${path.replace('{group}', group)}\``,
    summary,
  ]);
  return `# Endpoints\n\n${table(['endpoint', 'what'], rows)}`;
}

function datasetText(dataset: Dataset, group: string): string {
  const parameters = parametersOf(dataset).map(name => {
    const { takes, doc } = parameterFacts(dataset, name);
    return [`\`${name}\``, takes, doc];
  });
  return [
    `# GET ${fillPath(datasetPath(dataset.name), { group })}`,
    `${dataset.title}. ${dataset.description} Default order: ${dataset.defaultSort} ${dataset.defaultOrder}. Every numeric column is a parameter too: \`price=10:100\`.`,
    table(['parameter', 'takes', 'meaning'], parameters),
    table(['column', 'type', 'unit', 'null', 'meaning', 'formula'], dataset.columns.map(columnCells)),
  ].join('\n\n');
}

function columnCells(column: Column): string[] {
  const { name, type, unit, nullable, description } = column;
  const formula = 'formula' in column ? (column.formula ?? '') : '';
  return [`\`${name}\``, type, unit ?? '', nullable ? 'yes' : 'no', description, formula];
}

function agentsText(): string {
  const tools = TOOLS.map(tool => {
    const rows = Object.entries(tool.arguments).map(([name, { doc, required }]) => [
      `\`${name}\`${required ? ' (required)' : ''}`,
      doc,
    ]);
    return `## ${tool.name}\n\n${tool.description}\n\n${table(['argument', 'meaning'], rows)}`;
  });
  return ['# POST /mcp: tools for agents', ...tools].join('\n\n');
}

function errorsText(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, doc }]) => [`\`${code}\``, String(status), doc]);
  return `# Errors\n\n\`application/problem+json\` with \`code\`, \`detail\`, \`hint\` and \`request_id\`.\n\n${table(['code', 'status', 'meaning'], rows)}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
