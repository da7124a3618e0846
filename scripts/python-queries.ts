// The methods of the Python package that query a dataset, with every parameter of the API. `npm run docs` writes them, and a test
// compares them.

import { pascalCase } from '../src/api/json-schema.ts';
import { type ApiSchema, apiSchema, filterType, type Parameter, queryParameters } from './api-schema.ts';
import { DO_NOT_EDIT, literal } from './python-types.ts';

interface Method {
  readonly name: string;
  readonly dataset: string;
  readonly about: string;
  /** A doctest. */
  readonly example: string;
}

type Documented = Pick<Parameter, 'name' | 'description'>;

const LAST_EVENT_ID: Documented = {
  name: 'last_event_id',
  description: 'The `version` of the last event that the program has seen: the stream continues after it.',
};
const ABOUT_FILTERS =
  'A column and its values: `price=42`, `price=(10, 100)`, `price=(10, None)`, `price="10:100"`, `change365="not_null"`.';
/** So that the text of `help()` fits into a terminal. */
const TEXT_WIDTH = 84;

const METHODS: readonly Method[] = [
  {
    name: 'listing',
    dataset: 'ta-cur',
    about: 'The current indicators, one row per asset.',
    example: `>>> for row in tm.listing(where='sma50 > sma200 and price >= 1', sort='vol30', order='asc', limit=2):
...     print(row['symbol'], round(row['vol30'], 1))
HRBD 0.8
ALDM 48.2
>>> tm.listing(price=(10, None), not_null='change365').to_pandas().index.name
'symbol'`,
  },
  {
    name: 'history',
    dataset: 'ta-hist',
    about: 'The indicators of one asset, one row per day. `symbol` or `id` names the asset.',
    example: `>>> frame = tm.history(symbol='ALDM', incl_cols=['rsi14', 'macd'], from_='2026-01-01').to_pandas()
>>> frame[['price', 'rsi14']].round(2).tail(1).values.tolist()
[[82725.8, 60.37]]`,
  },
  {
    name: 'bars',
    dataset: 'bars',
    about: 'The OHLCV bars of one asset. `symbol` or `id` names the asset.',
    example: `>>> tm.bars(symbol='ALDM', interval='1mo', limit=2).to_pandas()['close'].tolist()
[71573.7, 82725.8]`,
  },
  {
    name: 'assets',
    dataset: 'assets',
    about: 'The assets, with a search by `q`.',
    example: `>>> [row['id'] for row in tm.assets(q='dollar', limit=2)]
['hrbd-harbor-dollar', 'brnd-brindle-dollar']`,
  },
  {
    name: 'findings',
    dataset: 'findings',
    about: 'What is in doubt about the bars, one row per finding.',
    example: `>>> [row['rule'] for row in tm.findings(limit=2)]
['gap', 'gap']`,
  },
  {
    name: 'actions',
    dataset: 'actions',
    about: 'Redenominations and migrations of assets.',
    example: `>>> list(tm.actions())
[]`,
  },
  {
    name: 'stats',
    dataset: 'ta-cur/stats',
    about: 'Summary statistics of a listing query, one row per column.',
    example: `>>> tm.stats(cols=['price', 'vol30']).to_pandas()['count'].tolist()
[113, 113]`,
  },
  {
    name: 'facets',
    dataset: 'ta-cur/facets',
    about: 'The types and tags of the assets that a listing query selects, with their numbers of assets.',
    example: `>>> [row['value'] for row in tm.facets(limit=2)]
['token', 'coin']`,
  },
];

const STREAM: Method = {
  name: 'stream',
  dataset: 'ta-cur',
  about: 'A page of the listing now, and what each publication changes in it, for as long as the loop runs.',
  example: `>>> with tm.stream(sort='price', limit=2) as events:
...     event = next(events)
>>> event['event'], [row['symbol'] for row in event['result']]
('rows', ['ALDM', 'VELR'])`,
};

/** What the service will take in these datasets, and refuses until then. */
const AHEAD: readonly Parameter[] = ['interval', 'quote'].map(name => ({
  name,
  in: 'query',
  description: name === 'interval' ? 'Length of a bar, such as `1d`.' : 'The currency of prices, `USD` by default.',
  schema: { type: 'string' },
}));

/** What differs from the API: the package reads all pages, and takes values of Python. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'At most so many rows. Without it, every row that the query selects, in as many requests as it takes.',
  page: 'The page of `limit` rows, starting at 1. `pages()` continues from there.',
  calc: "Computed columns behind the others, at most 8, by name: `{'trend': 'sma50 / sma200'}`. They can be sorted by, filtered and compared like any other.",
};

/** What the package takes besides the text that is sent. */
const TYPES: Readonly<Record<string, string>> = {
  where: 'str | Expression',
  calc: 'Mapping[str, str | Expression] | Iterable[str]',
  not_null: 'bool | str | Iterable[str]',
  from: 'str | date',
  to: 'str | date',
  as_of: 'str | date',
};

export function pythonQueries(): string {
  const schema = apiSchema();
  const methods = [...METHODS.map(each => rowsMethod(each, schema)), streamMethod(STREAM, schema)].join('\n\n');
  const datasets = new Set([...METHODS, STREAM].map(({ dataset }) => pascalCase(dataset)));
  const types = new Set(methods.match(new RegExp(`\\b(?:${[...datasets].join('|')})\\w+`, 'g')));
  return `"""The methods that query a dataset, with every parameter of the API.

${DO_NOT_EDIT}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .events import ChangesEvent, EventStream, RowsEvent
    from .expression import Expression
    from .rows import Rows
    from .types import (
${[...types]
  .sort()
  .map(name => `        ${name},`)
  .join('\n')}
    )


class Queries:
    """The datasets."""

${methods}

    def rows(self, dataset: str, query: Mapping[str, Any] | None = None) -> Rows[Any]:
        """The rows of any dataset."""
        raise NotImplementedError

    def _stream(self, query: Mapping[str, Any], last_event_id: str | int | None) -> EventStream[Any]:
        raise NotImplementedError
`;
}

function rowsMethod({ name, dataset, about, example }: Method, schema: ApiSchema): string {
  const parameters = parametersOf(dataset, schema);
  return [
    signature(name, dataset, parameters, `Rows[${pascalCase(dataset)}Row]`),
    documentation(about, example, parameters),
    body(parameters, `self.rows('${dataset}', query)`),
  ].join('\n');
}

function streamMethod({ name, dataset, about, example }: Method, schema: ApiSchema): string {
  const parameters = parametersOf(dataset, schema);
  const own = 'last_event_id: str | int | None = None';
  return [
    signature(name, dataset, parameters, 'EventStream[RowsEvent | ChangesEvent]', own),
    documentation(about, example, [LAST_EVENT_ID, ...parameters]),
    body(parameters, 'self._stream(query, last_event_id)'),
  ].join('\n');
}

function signature(
  name: string,
  dataset: string,
  parameters: readonly Parameter[],
  returns: string,
  ...first: readonly string[]
): string {
  const members = parameters.map(each => `${pythonName(each.name)}: ${valueType(each, dataset)} | None = None`);
  const all = ['self', '*', ...first, ...members, `**filters: Unpack[${pascalCase(dataset)}Filters]`];
  return `    def ${name}(\n${all.map(each => `        ${each},\n`).join('')}    ) -> ${returns}:`;
}

function body(parameters: readonly Parameter[], call: string): string {
  const pairs = parameters.map(({ name }) => `            '${name}': ${pythonName(name)},`);
  return `        query = {\n${pairs.join('\n')}\n            **filters,\n        }\n        return ${call}`;
}

/** In the form that Google's style guide gives to docstrings. */
function documentation(about: string, example: string, parameters: readonly Documented[]): string {
  const text = [
    about,
    '',
    ...example.split('\n'),
    '',
    'Args:',
    ...parameters.flatMap(({ name, description }) =>
      wrap(`${pythonName(name)}: ${described(name, description)}`, '    ', '        '),
    ),
    ...wrap(`**filters: ${ABOUT_FILTERS}`, '    ', '        '),
  ];
  const indented = text.map(line => (line === '' ? '' : `        ${line}`)).join('\n');
  return `        """${indented.trimStart()}\n        """`;
}

function described(name: string, description: string): string {
  return DESCRIPTIONS[name] ?? description.replace(' Takes "true" or "false".', '');
}

/** The parameters of the dataset that are not filters by column. */
function parametersOf(dataset: string, { paths, datasets }: ApiSchema): Parameter[] {
  const { path } = datasets.find(each => each.name === dataset)!; // the methods name datasets
  const known = queryParameters(paths[path]!.get.parameters).filter(
    ({ name, schema }) => filterType(schema) === undefined && name !== 'api_key',
  );
  const ahead = dataset === 'assets' ? [] : AHEAD.filter(({ name }) => !known.some(each => each.name === name));
  return [...known, ...ahead];
}

function pythonName(name: string): string {
  return name === 'from' ? 'from_' : name;
}

function valueType({ name, schema }: Parameter, dataset: string): string {
  const own = TYPES[name];
  if (own !== undefined) return own;
  const title = pascalCase(dataset);
  const listed = dataset.startsWith('ta-cur') ? 'TaCur' : title;
  if (name === 'sort') return `${listed}Column | str`;
  if (name === 'incl_cols') return `${listed}Optional | str | Iterable[${listed}Optional | str]`;
  if (schema.enum?.includes('true')) return 'bool';
  if (schema.enum) return `${literal(schema.enum)}${name === 'interval' ? ' | str' : ''}`;
  if (schema.type === 'array') return 'str | Iterable[str]';
  return schema.type === 'integer' ? 'int' : 'str';
}

function wrap(text: string, first: string, following: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < TEXT_WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push((last === undefined ? first : following) + word);
  }
  return lines;
}
