// The OpenAPI document is true: it says what the code does, all of it and nothing else.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { answerAll, shownInReadme } from '../../scripts/examples.ts';
import { ENDPOINTS } from '../../src/api/endpoints.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { EXAMPLES } from '../../src/api/openapi/examples.ts';
import { serviceRoutes } from '../../src/api/service.ts';
import { DATASETS } from '../../src/domain/datasets.ts';
import { TIERS } from '../../src/domain/tiers.ts';
import { ApiError, ERRORS } from '../../src/errors.ts';
import { labelOf } from '../../src/http/routes.ts';
import { headerLines } from '../../src/http/wire/head.ts';
import { EXPOSED_HEADERS, RESPONSE_HEADERS } from '../../src/http/wire/headers.ts';
import { OPERATORS } from '../../src/query/operators.ts';
import { parametersOf } from '../../src/query/parameters.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';
import { ApiContract } from '../support/openapi.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: ParameterSchema;
}

interface ParameterSchema {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly items?: ParameterSchema;
  readonly type?: string;
  readonly $ref?: string;
}

interface Listing {
  readonly get: {
    readonly operationId: string;
    readonly parameters: readonly Parameter[];
    readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Examples>> }>>;
  };
}

interface Examples {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface FullDocument {
  readonly paths: Readonly<Record<string, Listing>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string; readonly in: string }>>;
  };
}

// Written by our own code as an object with these members; the lint below checks the rest.
const document = openApiDocument(ENDPOINTS, 'crypto', null) as unknown as FullDocument;
const text = JSON.stringify(document);
const contract = new ApiContract();

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

async function answerTo(
  request: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' = 'GET',
) {
  const answer = await demo.ask(request, { method, headers });
  contract.assertValidAnswer(request, method, answer.status, answer.headers, answer.body);
  return answer;
}

/** As the document writes them. */
function servedPaths(): string[] {
  return serviceRoutes(demo.context).map(route =>
    labelOf(route)
      .replace('explain/*', 'explain/{id}/{column}')
      .replace('export/*/*', 'export/{dataset}/{version}.parquet')
      .replace('export/*', 'export/{dataset}.parquet')
      .replace('*', '{id}'),
  );
}

describe('the OpenAPI document', () => {
  it('passes a public linter with its recommended rules, without errors and without warnings', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
      [],
    );
  });

  it('is served', async () => {
    const { headers, text: served } = await answerTo('/v1/openapi.json');
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.deepEqual(JSON.parse(served).paths, document.paths);
  });

  it('names the public address, or else the one that it came from', () => {
    assert.deepEqual(openApiDocument(ENDPOINTS, 'crypto', 'https://api.example.org')['servers'], [
      { url: 'https://api.example.org' },
    ]);
    assert.deepEqual(openApiDocument(ENDPOINTS, 'crypto', null)['servers'], [{ url: '/' }]);
  });

  it('has the group of the service in its paths', () => {
    assert.ok('/v1/stocks/ta-cur' in Object(openApiDocument(ENDPOINTS, 'stocks', null)['paths']));
  });

  it('has every path of the server, and no other', () => {
    const served = servedPaths().filter(path => !path.startsWith('/docs/') && !path.startsWith('/app/'));
    assert.deepEqual(served.sort(), Object.keys(document.paths).sort());
  });

  it('has one way to send an API key, a header, because generated clients use every way that they find', () => {
    assert.deepEqual(openApiDocument(ENDPOINTS, 'crypto', null)['security'], [{}, { keyHeader: [] }]);
    const { keyHeader, ...others } = document.components.securitySchemes;
    assert.deepEqual([keyHeader?.in, keyHeader?.name, others], ['header', 'X-API-Key', {}]);
  });

  it('has every error code, and no other', () => {
    const codes = new Set<string>();
    JSON.stringify(document.paths, (key, value) => {
      if (key === 'code') for (const code of value.enum ?? []) codes.add(code);
      return value;
    });
    assert.deepEqual([...codes].sort(), Object.keys(ERRORS).sort());
  });

  it('has every operator, and nothing that looks like one', () => {
    for (const { name } of DATASETS) {
      const path = `/v1/crypto/${name}`;
      const comparison = document.paths[path]!.get.parameters.find(parameter => parameter.name === 'comparison');
      const pattern = JSON.stringify(comparison).match(/\(\?:(=[^)]*)\)/)?.[1];
      assert.deepEqual(pattern?.split('|'), Object.keys(OPERATORS));
    }
  });
});

for (const dataset of DATASETS) {
  describe(`what the document says of ${dataset.name}`, () => {
    const path = `/v1/crypto/${dataset.name}`;
    const parameters = document.paths[path]!.get.parameters.filter(parameter => parameter.in === 'query');
    const columns = dataset.columns.map(column => column.name);
    const asset = dataset.ofOneAsset ? 'symbol=ALDM' : '';
    const numeric = dataset.columns.find(({ type }) => type === 'number' || type === 'integer')!.name;

    it('has the columns of a row, in their order', async () => {
      const [row] = Object.entries(document.components.schemas).filter(
        ([name]) => name.replace(/Row$/, '').toLowerCase() === dataset.name.replace('-', ''),
      );
      assert.deepEqual(Object.keys(row![1].properties), columns);
      const all = dataset.extraParameters.includes('incl_cols') ? '&incl_cols=all' : '';
      const { result } = (await answerTo(`${path}?limit=1&${asset}${all}`)).json<{ result: object[] }>();
      assert.deepEqual(Object.keys(result[0]!), columns);
    });

    it('has every parameter, and no other', () => {
      const names = parameters.map(({ name }) => name);
      for (const name of parametersOf(dataset)) assert.ok([...names, 'api_key'].includes(name), name);
      for (const name of names) assert.ok([...parametersOf(dataset), ...columns].includes(name), name);
      assert.equal(new Set(names).size, names.length);
    });

    it('lets sort and not_null name a computed column, which the service takes', async () => {
      for (const name of ['sort', 'not_null']) {
        const { schema } = parameters.find(parameter => parameter.name === name) ?? assert.fail(name);
        const isValid = new Ajv2020().compile(schema.items ?? schema);
        assert.deepEqual([isValid('own_1'), isValid(numeric), isValid('No column')], [true, true, false]);
        assert.equal((await answerTo(`${path}?calc=own_1:2*${numeric}&${name}=own_1&${asset}`)).status, 200);
      }
    });

    for (const { name, schema } of parameters) {
      it(`has a parameter ${name} that the service takes`, async () => {
        const values: Readonly<Record<string, string>> = {
          ...(dataset.ofOneAsset ? { symbol: 'ALDM', id: 'aldm-aldermoor', from: '2026-01-31', to: '2026-01-31' } : {}),
          as_of: '2026-01-31',
          source: 'demo',
          range: `${numeric}:1:2`,
          comparison: `[${numeric}]=:[${numeric}]`,
          where: `${numeric}>1`,
          calc: `twice:2*${numeric}`,
        };
        const value =
          values[name] ??
          (schema.anyOf?.[0] ?? schema).enum?.[0] ??
          (schema.$ref?.endsWith('NotNullFilter') ? 'not_null' : '1');
        const list = ['not_null', 'excl_cols', 'incl_cols'].includes(name) ? columns[0] : value;
        const other = name === 'symbol' || name === 'id' ? '' : asset;
        assert.equal((await answerTo(`${path}?${name}=${list}&${other}`)).status, 200);
      });
    }

    for (const [operator] of Object.entries(OPERATORS)) {
      it(`has the operator ${operator}, which the service takes raw and as comparison`, async () => {
        for (const query of [
          `[${numeric}]${operator}:[${numeric}]`,
          `comparison=[${numeric}]${operator}:[${numeric}]`,
        ]) {
          assert.equal((await answerTo(`${path}?${query}&${asset}`)).status, 200);
        }
      });
    }
  });
}

describe('the headers in the document', () => {
  const seen = new Set<string>();
  const requests: [string, Parameters<typeof answerTo>[1]?, Parameters<typeof answerTo>[2]?][] = [
    ['/v1/crypto/ta-cur?limit=2'],
    ['/v1/crypto/ta-cur?limit=20', { 'accept-encoding': 'gzip' }],
    ['/v1/crypto/ta-cur?limit=2&page=2&format=csv'],
    ['/v1/crypto/ta-cur?limit=2&meta=true', {}, 'HEAD'],
    ['/v1/crypto/ta-cur?limt=2'],
    ['/v1/crypto/ta-cur', {}, 'POST'],
    ['/v1/crypto/ta-cur', {}, 'OPTIONS'],
    ['/v1/crypto/ta-cur', { 'if-none-match': '*' }],
    ['/v1/crypto/ta-hist?id=aldm-aldermoor&limit=2&page=2'],
    ['/v1/crypto/ta-hist?id=aldm-aldermoor', { 'if-none-match': '*' }],
    ['/v1/crypto/ta-hist'],
    ['/v1/crypto/ta-hist?symbol=nobody'],
    ['/'],
    ['/asset/aldm-aldermoor', { 'if-none-match': '*' }],
    ['/v1/crypto/assets'],
    ['/v1/crypto/assets/aldm-aldermoor'],
    ['/v1/crypto/assets/aldm-aldermoor', { 'if-none-match': '*' }],
    ['/v1/crypto/assets/nobody-knows-it'],
    ['/v1/crypto/assets/a?limit=1'],
    ['/v1/coins/ALDM'],
    ['/v1/coins/%ff'],
    ['/v1/crypto/ta-cur%'],
    ['/v1/catalog', { 'accept-encoding': 'br' }],
    ['/v1/catalog', { 'if-none-match': '*' }],
    ['/v1/openapi.json', { 'if-none-match': '*' }],
    ['/v1/nothing'],
    ['/v2/crypto/ta-cur'],
    ['/docs'],
    ['/docs', { 'if-none-match': '*' }],
    ['/healthz'],
    ['/readyz'],
    ['/metrics'],
  ];
  for (const [request, headers = {}, method = 'GET'] of requests) {
    it(`are all that ${method} ${request} ${JSON.stringify(headers)} answers with`, async () => {
      for (const name of Object.keys((await answerTo(request, headers, method)).headers)) seen.add(name);
    });
  }

  it('are all that the service answers with before there is data', async () => {
    const empty = await startDemo({ snapshot: () => null });
    for (const request of ['/v1/crypto/ta-cur', '/v1/crypto/ta-hist?symbol=ALDM', '/v1/coins/ALDM', '/readyz']) {
      const answer = await empty.ask(request);
      assert.equal(answer.status, 503);
      contract.assertValidAnswer(request, 'GET', answer.status, answer.headers, answer.body);
      for (const name of Object.keys(answer.headers)) seen.add(name);
    }
    await empty.close();
  });

  it('are all that an export answers with', async () => {
    const redirect = await answerTo('/v1/crypto/export/assets.parquet');
    const path = new URL(redirect.headers['location']!.toString(), demo.url).pathname;
    const part = await answerTo(path, { range: 'bytes=0-3' });
    assert.deepEqual([redirect.status, part.status, part.text], [307, 206, 'PAR1']);
    for (const { headers } of [redirect, part]) for (const name of Object.keys(headers)) seen.add(name);
  });

  it('are all that a service with keys answers with', async () => {
    const refuse = new ApiError('missing_key', 'No key.');
    const headers = headerLines('ratelimit-policy', '"rate";q=1;w=1', 'ratelimit', '"rate";r=1;t=1');
    for (const grant of [
      { tier: TIERS.free, key: null, headers },
      { refusal: refuse, key: null, headers: headerLines('www-authenticate', 'Bearer'), holdMs: 0 },
    ]) {
      const keyed = await startDemo({ authenticate: () => grant });
      const answer = await keyed.ask('/v1/crypto/ta-cur');
      contract.assertValidAnswer('/v1/crypto/ta-cur', 'GET', answer.status, answer.headers, answer.body);
      for (const name of Object.keys(answer.headers)) seen.add(name);
      await keyed.close();
    }
  });

  it('of a stream', async () => {
    const { headers } = await answerTo('/v1/crypto/events', {}, 'HEAD');
    for (const name of Object.keys(headers)) seen.add(name);
  });

  it('were all seen by now', () => {
    for (const name of Object.keys(RESPONSE_HEADERS)) assert.ok(seen.has(name.toLowerCase()), `${name} was never sent`);
  });

  it('are the ones that a page of another origin may read', async () => {
    const { headers } = await answerTo('/healthz');
    assert.equal(headers['access-control-expose-headers'], EXPOSED_HEADERS);
  });
});

describe('the examples in the document', () => {
  it('are what the demo answers (npm run examples writes them)', async () => {
    assert.deepEqual(await answerAll(demo), EXAMPLES);
    const shown = readFileSync(join(import.meta.dirname, '../../docs/reports/readme.json'), 'utf8');
    assert.deepEqual(await shownInReadme(demo), JSON.parse(shown));
  });

  for (const { operation, name, status, mediaType, body } of EXAMPLES) {
    it(`are all in it, under their operation and status: ${operation} ${name}`, () => {
      const described = Object.values(document.paths).find(({ get }) => get?.operationId === operation)?.get;
      const examples = described?.responses[status]?.content[mediaType]?.examples ?? {};
      assert.ok(Object.values(examples).some(({ value }) => isDeepStrictEqual(value, body)));
    });
  }

  it('show rows, a profile, CSV and errors', () => {
    for (const { operation, name } of EXAMPLES) assert.ok(text.includes(`"${operation}"`), `${operation} ${name}`);
    assert.ok(EXAMPLES.some(({ mediaType }) => mediaType === 'text/csv'));
    assert.ok(EXAMPLES.filter(({ status }) => status >= 400).length >= 5);
  });
});

describe('a validated answer', () => {
  const good = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'x' };
  const wrong: [string, string, number, Record<string, string>, unknown][] = [
    ['has a member too many', '/healthz', 200, good, { status: 'alive', more: 1 }],
    ['has another content type', '/healthz', 200, { ...good, 'content-type': 'text/plain' }, 'alive'],
    ['has a header that is not documented', '/healthz', 200, { ...good, 'x-powered-by': 'us' }, { status: 'alive' }],
    ['has no request id', '/healthz', 200, { 'content-type': 'application/json' }, { status: 'alive' }],
    ['is good at a path that is not documented', '/v1/nothing', 200, good, {}],
    ['has a status that is not documented', '/healthz', 204, good, ''],
  ];
  for (const [what, path, status, headers, body] of wrong) {
    it(`fails when it ${what}`, () => {
      assert.throws(() => contract.assertValidAnswer(path, 'GET', status, headers, body), assert.AssertionError);
    });
  }

  it('passes when it is as documented', () => {
    contract.assertValidAnswer('/healthz', 'GET', 200, good, { status: 'alive' });
  });

  it('fails when a row lacks a column that was not left out', async () => {
    const path = '/v1/crypto/ta-cur?limit=1&excl_cols=price';
    const { headers, body } = await answerTo(path);
    assert.throws(() => contract.assertValidAnswer('/v1/crypto/ta-cur?limit=1', 'GET', 200, headers, body));
  });
});
