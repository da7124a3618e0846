// The ways in which a request reaches a service and its rows come back: HTTP, the JavaScript and the Python client, and the tools for agents.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ApiError, Tidemark } from '../../client/src/index.ts';
import { TA_CUR } from '../../src/domain/datasets.ts';
import { callTool } from '../http/mcp-calls.ts';
import type { TestService } from '../support/service.ts';
import { type LogicCase, rowText } from './logic-file.ts';

export type Outcome =
  | { readonly rows: readonly string[] }
  | { readonly pages: readonly (readonly string[])[] }
  | { readonly code: string; readonly param: string | null; readonly position: number | null };

/** Null if the way cannot say the case. */
export type Way = (service: TestService, logic: LogicCase) => Promise<Outcome | null>;

type Row = Readonly<Record<string, unknown>>;

interface Envelope {
  readonly result: readonly Row[];
  readonly next: string | null;
}

interface Problem {
  readonly code: string;
  readonly param?: string;
  readonly position?: number;
}

export const overHttp: Way = async (service, { dataset, parameters, expected }) => {
  const pages: string[][] = [];
  let url: string | null = `/v1/crypto/${dataset}?${new URLSearchParams(parameters.map(([...pair]) => pair))}`;
  do {
    const { status, json } = await service.ask(url);
    if (status !== 200) return errorOf(json<Problem>());
    const envelope: Envelope = json<Envelope>();
    pages.push(textsOf(expected, envelope.result));
    url = expected.kind === 'pages' ? envelope.next : null;
  } while (url !== null);
  return pagesOrRows(expected, pages);
};

export const byClient: Way = async (service, { dataset, parameters, expected }) => {
  const rows = new Tidemark({ url: service.url }).rows<Row>(dataset, queryOf(parameters));
  try {
    const pages: string[][] = [];
    if (expected.kind === 'pages') for await (const page of rows.pages()) pages.push(textsOf(expected, page.result));
    else pages.push(textsOf(expected, (await rows.page()).result));
    return pagesOrRows(expected, pages);
  } catch (error) {
    if (error instanceof ApiError) return errorOf(error);
    throw error;
  }
};

/** A parameter that is given twice is a list. */
function queryOf(parameters: LogicCase['parameters']): Record<string, string | string[]> {
  const grouped = Map.groupBy(parameters, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value)]),
  );
}

const TOOL_PARAMETERS = ['where', 'sort', 'order', 'limit', 'as_of'];

/** `screen_assets`, whose table has rounded numbers. A case without `sort` has no order there. */
export const byTool: Way = async (service, { dataset, parameters, expected }) => {
  const given = Object.fromEntries(parameters);
  const columns = expected.kind === 'rows' ? expected.columns : [];
  const isKnown = (name: string) => TA_CUR.columns.some(column => column.name === name);
  const canSay =
    dataset === TA_CUR.name &&
    expected.kind !== 'pages' &&
    Object.keys(given).every(name => TOOL_PARAMETERS.includes(name)) &&
    columns.every(isKnown) &&
    (expected.kind === 'error' || 'sort' in given);
  if (!canSay) return null;
  const { limit, ...texts } = given;
  const values = { ...texts, ...(limit === undefined ? {} : { limit: Number(limit) }), columns };
  const { text, isError } = await callTool(service, 'screen_assets', values);
  if (isError) return { code: /^Error (\w+):/.exec(text)?.[1] ?? text, param: null, position: null };
  const [, header = '', ...lines] = text.split('\n');
  if (header === '') return { rows: [] };
  const names = header.split(',').map(name => name.split(' ')[0]!);
  return {
    rows: lines.slice(0, -1).map(line => {
      const cells = line.split(',').map(cell => (cell === '' ? 'null' : cell));
      return columns.map(column => cells[names.indexOf(column)]).join(' | ');
    }),
  };
};

const PYTHON = `
import json, sys
from tidemark import ApiError, Tidemark

def outcome(client, case):
    query = {}
    for name, text in case['parameters']:
        value = int(text) if name in ('limit', 'page') else text
        query[name] = [*query[name], value] if name in query else [value]
    rows = client.rows(case['dataset'], {name: value[0] if len(value) == 1 else value for name, value in query.items()})
    try:
        pages = list(rows.pages()) if case['expected']['kind'] == 'pages' else [rows.page()]
        return {'pages': [list(page.result) for page in pages]}
    except ApiError as error:
        return {'code': error.code, 'param': error.param, 'position': error.position}

with Tidemark(sys.argv[1]) as client:
    json.dump([outcome(client, case) for case in json.load(sys.stdin)], sys.stdout)
`;

/** All cases in one process of Python. */
export async function byPython(python: string, service: TestService, cases: readonly LogicCase[]): Promise<Outcome[]> {
  const child = spawn(python, ['-c', PYTHON, service.url], {
    env: {
      ...process.env,
      PYTHONPATH: join(import.meta.dirname, '../../python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end(JSON.stringify(cases));
  const code = await new Promise(resolve => child.on('close', resolve));
  if (code !== 0) throw new Error(`Python ended with ${code}`);
  const answers = JSON.parse(output) as ({ pages: Row[][] } | Problem)[]; // as the program writes it
  return answers.map((answer, i) => {
    const { expected } = cases[i]!; // as many
    return 'code' in answer
      ? errorOf(answer)
      : pagesOrRows(
          expected,
          answer.pages.map(page => textsOf(expected, page)),
        );
  });
}

function textsOf(expected: LogicCase['expected'], rows: readonly Row[]): string[] {
  return rows.map(row => rowText(row, expected.kind === 'error' ? Object.keys(row) : expected.columns));
}

function pagesOrRows({ kind }: LogicCase['expected'], pages: readonly string[][]): Outcome {
  return kind === 'pages' ? { pages } : { rows: pages.flat() };
}

function errorOf({
  code,
  param,
  position,
}: Pick<Problem, 'code'> & Partial<Record<'param' | 'position', unknown>>): Outcome {
  return {
    code,
    param: typeof param === 'string' ? param : null,
    position: typeof position === 'number' ? position : null,
  };
}
