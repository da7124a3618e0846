// Writes the generated parts of the docs from the tables in the code: `npm run docs`. A test compares them, so that they
// cannot drift apart.
//
// A generated part stands between <!-- generated:NAME --> and <!-- /generated:NAME -->.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../src/api/endpoints.ts';
import { EXAMPLES } from '../src/api/openapi/examples.ts';
import { loadCommands } from '../src/cli/commands.ts';
import { commandHelp, overview } from '../src/cli/help.ts';
import { environmentVariable, SETTINGS, type Setting } from '../src/config.ts';
import { ASSET_COLUMNS, BAR_COLUMNS, COLUMNS, OPTIONAL_COLUMNS } from '../src/domain/catalogue.ts';
import { COLUMN_GROUPS, type Column } from '../src/domain/columns.ts';
import { DATASETS, type Dataset } from '../src/domain/datasets.ts';
import { LISTINGS } from '../src/domain/listings.ts';
import { OWN_FUNCTIONS } from '../src/domain/own/language.ts';
import { TIERS } from '../src/domain/tiers.ts';
import { ERRORS } from '../src/errors.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../src/http/wire/headers.ts';
import { EVENTS } from '../src/observe/events.ts';
import { LINE_FIELDS, REQUEST_FIELDS } from '../src/observe/log-form.ts';
import { METRICS } from '../src/observe/metric-table.ts';
import { BUCKETS } from '../src/observe/shared-metrics.ts';
import { FUNCTIONS, OPERATIONS, PERIOD_FUNCTIONS } from '../src/query/expression/operations.ts';
import { OPERATORS } from '../src/query/operators.ts';
import { PARAMETERS, type ParameterName, parameterFacts, parametersOf } from '../src/query/parameters.ts';
import { QUESTIONS } from '../test/http/mcp-questions.ts';
import { clientTypes } from './client-types.ts';
import type { Shown } from './examples.ts';
import { kernelIndex } from './kernel-index.ts';
import { pythonQueries } from './python-queries.ts';
import { pythonTypes } from './python-types.ts';

const COMMANDS = await loadCommands();

const INSTALL = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/reports/install.json'), 'utf8')) as Record<
  'megabytes' | 'firstStartSeconds' | 'secondStartSeconds',
  number
>; // by install-size.ts

const PACKAGE = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/reports/package.json'), 'utf8')) as Record<
  'tarballMegabytes' | 'installedMegabytes' | 'installedWithCcxtMegabytes',
  number
>; // by package-size.ts

const EXPORT = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/reports/export.json'), 'utf8')) as {
  readonly table: string;
}; // by bench/export/export.ts

const SHOWN = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/reports/readme.json'), 'utf8')) as Shown; // by examples.ts

const root = join(import.meta.dirname, '..');

export const GENERATED: Readonly<Record<string, () => string>> = {
  columns: () => columnTable(COLUMNS),
  'optional-columns': optionalColumnTables,
  'bar-columns': () => columnTable(BAR_COLUMNS),
  'asset-columns': () => columnTable(ASSET_COLUMNS),
  functions: () =>
    table(
      ['function', 'what it gives'],
      [
        ...[...FUNCTIONS].map(([name, operation]) => [
          `\`${name}(${OPERATIONS[operation].operands === 1 ? 'x' : 'x, y, …'})\``,
          OPERATIONS[operation].doc ?? '',
        ]),
        ...Object.values(PERIOD_FUNCTIONS).map(({ form, doc }) => [`\`${form}\``, doc]),
        ["`tag('defi')`", 'Whether the profile of the asset has the tag; not for `ta-hist`'],
      ],
    ),
  'own-functions': () =>
    table(
      ['function', 'what it gives'],
      Object.values(OWN_FUNCTIONS).map(({ form, doc }) => [`\`${form}\``, doc]),
    ),
  'agent-questions': () =>
    table(
      ['question', 'call'],
      QUESTIONS.map(({ question, tool, arguments: values }) => [question, `\`${tool}\` \`${JSON.stringify(values)}\``]),
    ),
  settings: settingTable,
  paths: pathTable,
  parameters: parameterTable,
  operators: () =>
    table(
      ['operator', 'meaning', 'example'],
      Object.entries(OPERATORS).map(([operator, { words }]) => [
        `\`${operator}\``,
        words,
        `\`[sma50]${operator}:[sma200]\``,
      ]),
    ),
  tiers: () =>
    table(
      [
        'tier',
        'rows per page without `limit`',
        'maximum',
        'requests per second',
        'burst',
        'requests per day',
        'streams',
        'exports',
        'saved alerts',
      ],
      Object.values(TIERS).map(
        ({ name, defaultRows, maxRows, rate, burst, quota, streams, export: exports, alerts }) => [
          `\`${name}\``,
          ...[defaultRows, maxRows, rate, burst, quota, streams].map(value => value.toLocaleString('en')),
          exports ? 'yes' : 'no',
          alerts ? 'yes' : 'no',
        ],
      ),
    ),
  'request-headers': () => headerTable(REQUEST_HEADERS),
  'response-headers': () => headerTable(RESPONSE_HEADERS),
  errors: () =>
    table(
      ['code', 'status', 'title', 'cause and remedy'],
      Object.entries(ERRORS).map(([code, { status, title, doc }]) => [`\`${code}\``, `${status}`, title, doc]),
    ),
  metrics: () =>
    table(
      ['metric', 'type', 'labels', 'meaning'],
      Object.entries(METRICS).map(([name, { type, labels, help }]) => [
        `\`${name}\``,
        type,
        labels.map(label => `\`${label}\``).join(', '),
        help,
      ]),
    ),
  install: () => {
    const { megabytes, firstStartSeconds, secondStartSeconds } = INSTALL;
    return `The first start installs ${megabytes} MB into \`node_modules\`. It took ${firstStartSeconds} s and later starts ${secondStartSeconds} s on 2 cores beside the package registry (\`npm run install-size\`); add the time of the download.`;
  },
  'readme-listing': () => {
    const { request, rows } = SHOWN.listing;
    const number = (value: string | number | undefined) =>
      typeof value === 'number' ? String(Number(value.toPrecision(6))) : (value ?? '');
    const shown = table(
      LISTING_COLUMNS.map(name => `\`${name}\``),
      rows.map(row => LISTING_COLUMNS.map(name => number(row[name]))),
    );
    return `${getRequest(request)}\n\n${shown}\n\nThese are ${LISTING_COLUMNS.length} of the ${Object.keys(rows[0]!).length} columns, to six digits; the response has them all, in full.`;
  },
  'readme-explained': () => {
    const { request, symbol, column, value, unit, formula, closes, exact, relative_error: error } = SHOWN.explanation;
    const exactly = `${exact.slice(0, 30)}…`;
    return `${getRequest(request)}\n\n\`${column}\` of ${symbol} is **${value}** ${unit}: \`${formula}\` of the closes ${closes.join(', ')}. The exact value is ${exactly}, so the relative error is ${error.toPrecision(2)}.`;
  },
  'readme-peers': () => {
    const lines = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8').split('\n');
    const rows = ['Twenty questions in turn', 'All indicators of 50,000 assets'].map(what => {
      const line = lines.find(each => each.startsWith(`| ${what}`));
      if (line === undefined) throw new Error(`docs/benchmarks.md has no row '${what}'`);
      return line;
    });
    return ['| | Tidemark | beside it |', '|---|---|---|', ...rows].join('\n');
  },
  'package-size': () => {
    const { tarballMegabytes, installedMegabytes, installedWithCcxtMegabytes } = PACKAGE;
    return `Measured by \`npm run package-size\`: the package is a file of ${tarballMegabytes} MB. Installed with its dependencies it takes ${installedMegabytes} MB, and ${installedWithCcxtMegabytes} MB with ccxt.`;
  },
  'export-figures': () => EXPORT.table,
  buckets: () => BUCKETS.map(bound => `\`${bound}\``).join(', '),
  'line-fields': () => fieldTable(LINE_FIELDS),
  'request-fields': () => fieldTable(REQUEST_FIELDS),
  events: () =>
    table(
      ['event', 'level', 'what happened, with its members'],
      Object.entries(EVENTS).map(([name, { level, doc }]) => [
        `\`${name}\``,
        typeof level === 'string' ? `\`${level}\`` : '`error` when it failed, else `info`',
        doc,
      ]),
    ),
  'example-listing': () => example('listTaCur', 'cross'),
  'example-history': () => example('listTaHist', 'csv'),
  'example-bars': () => example('listBars', 'csv'),
  'example-csv': () => example('listAssets', 'csv'),
  'example-profile': () => example('getAsset', 'profile'),
  'example-problem': () => example('listTaCur', 'typo'),
  commands: () =>
    [codeBlock(overview(COMMANDS)), ...COMMANDS.map(c => `### ${c.name}\n\n${codeBlock(commandHelp(c))}`)].join('\n\n'),
};

export function documentationPages(): string[] {
  return globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map(file => join(root, file));
}

/** The page with its generated parts as the code has them now. */
export function withGeneratedParts(page: string): string {
  return page.replace(
    /(<!-- generated:([\w-]+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g,
    (_, begin: string, name: string, end: string) => {
      const generate = GENERATED[name];
      if (generate === undefined) throw new Error(`nothing generates the part ${name}`);
      return `${begin}${generate()}\n${end}`;
    },
  );
}

function columnTable(columns: readonly Column[]): string {
  const head = ['| column | type | unit | null | closes for a full window | meaning |', '|---|---|---|---|--:|---|'];
  const rows = columns.map(column => {
    const what =
      'formula' in column && column.formula !== undefined
        ? `${column.description}. \`${column.formula}\``
        : column.description;
    const history = 'minHistory' in column ? String(column.minHistory) : '';
    const cells = [`\`${column.name}\``, column.type, column.unit ?? '', column.nullable ? 'yes' : 'no', history, what];
    return `| ${cells.join(' | ')} |`;
  });
  return [...head, ...rows].join('\n');
}

/** One table per group. */
function optionalColumnTables(): string {
  return Object.entries(COLUMN_GROUPS)
    .map(([group, about]) => {
      const columns = OPTIONAL_COLUMNS.filter(column => column.group === group);
      const own = 'See [columns of your own](../how-to/own-columns.md).';
      return `### \`${group}\`\n\n${about}.${columns.length === 0 ? ` ${own}` : `\n\n${columnTable(columns)}`}`;
    })
    .join('\n\n');
}

function settingTable(): string {
  const head = ['| flag and file key | environment | type | default | meaning |', '|---|---|---|---|---|'];
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(([name, setting]) => {
    const fallback = 'placeholder' in setting ? setting.default : false;
    const shown = fallback === undefined ? '' : `\`${fallback}\``;
    return `| \`--${name}\` | \`${environmentVariable(name)}\` | ${valuesOf(setting)} | ${shown} | ${setting.doc} |`;
  });
  return [...head, ...rows].join('\n');
}

/** What the placeholders of numbers with a unit stand for. */
const UNITS: Readonly<Record<string, string>> = { SECONDS: 'seconds', MS: 'milliseconds', MB: 'megabytes' };

function valuesOf(setting: Setting): string {
  if (!('max' in setting)) return 'placeholder' in setting ? 'text' : 'flag';
  const range = `${setting.min ?? 0} to ${setting.max}`;
  const unit = UNITS[setting.placeholder];
  return unit === undefined ? range : `${range} ${unit}`;
}

function pathTable(): string {
  return table(
    ['path', 'what'],
    ENDPOINTS.map(({ method, path, summary }) => [
      `\`${method.toUpperCase()} ${path.replace('{group}', 'crypto')}\``,
      summary,
    ]),
  );
}

function parameterTable(): string {
  // The keys of the table are what its type says.
  const rows = (Object.keys(PARAMETERS) as ParameterName[]).flatMap(name => {
    const listings = LISTINGS.filter(dataset => parametersOf(dataset).includes(name));
    // One line for each meaning that the parameter has.
    const meanings = Map.groupBy(listings, dataset => parameterFacts(dataset, name));
    return [...meanings].map(([{ takes, repeatable, doc }, having]) => {
      const where = having.length === LISTINGS.length ? 'all' : having.map(dataset => dataset.name).join(', ');
      return [`\`${name}\``, takes, defaultOf(name), repeatable ? 'yes' : 'no', where, doc];
    });
  });
  return table(['parameter', 'value', 'default', 'repeatable', 'datasets', 'meaning'], rows);
}

/** What holds where a parameter is not given. */
function defaultOf(name: string): string {
  const perListing = (value: (dataset: Dataset) => string) =>
    DATASETS.map(dataset => `\`${value(dataset)}\` (${dataset.name})`).join(', ');
  switch (name) {
    case 'limit':
      return "the tier's";
    case 'page':
      return '`1`';
    case 'sort':
      return perListing(dataset => dataset.defaultSort);
    case 'order':
      return perListing(dataset => dataset.defaultOrder);
    case 'interval':
      return '`1d`';
    case 'format':
      return '`json`';
    case 'meta':
      return '`false`';
    default:
      return '';
  }
}

function headerTable(headers: Readonly<Record<string, { readonly doc: string; readonly example: string }>>): string {
  return table(
    ['header', 'meaning', 'example'],
    Object.entries(headers).map(([name, { doc, example: value }]) => [`\`${name}\``, doc, `\`${value}\``]),
  );
}

function fieldTable(fields: Readonly<Record<string, string>>): string {
  return table(
    ['member', 'meaning'],
    Object.entries(fields).map(([name, doc]) => [`\`${name}\``, doc]),
  );
}

const LISTING_COLUMNS = ['symbol', 'price', 'change1', 'change7', 'change30', 'sma50', 'sma200', 'vol30'];

function getRequest(request: string): string {
  return `\`\`\`http\nGET ${request}\n\`\`\``;
}

/** A question to the demo, and its answer. */
function example(operation: string, name: string): string {
  const found = EXAMPLES.find(each => each.operation === operation && each.name === name);
  if (found === undefined) throw new Error(`there is no example ${operation} ${name}`);
  const { request, body } = found;
  const [language, text] =
    typeof body === 'string' ? ['text', body.trimEnd()] : ['json', JSON.stringify(body, null, 2)];
  return `\`\`\`sh\ncurl -g -H "X-API-Key: $KEY" 'http://127.0.0.1:8080${request}'\n\`\`\`\n\n\`\`\`${language}\n${text}\n\`\`\``;
}

/** A pipe inside a cell would end it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function codeBlock(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function update(file: string, filled: string): void {
  if (filled === readFileSync(file, 'utf8')) return;
  writeFileSync(file, filled);
  process.stdout.write(`updated ${file.slice(root.length + 1)}\n`);
}

if (import.meta.main) {
  for (const file of documentationPages()) update(file, withGeneratedParts(readFileSync(file, 'utf8')));
  update(join(root, 'client/src/types.ts'), clientTypes());
  update(join(root, 'src/indicators/kernels/index.ts'), kernelIndex());
  update(join(root, 'python/src/tidemark/types.py'), pythonTypes());
  update(join(root, 'python/src/tidemark/_queries.py'), pythonQueries());
}
