// Every case of every logic file, on both stores and in every way to ask.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { systemPython } from '../../scripts/python-environment.ts';
import { type MarketAsset, marketSource, NOW } from '../http/market.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { type LogicCase, parseLogicFile } from './logic-file.ts';
import { byClient, byPython, byTool, type Outcome, overHttp, type Way } from './ways.ts';

const folder = import.meta.dirname;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const cases = globSync('*.test', { cwd: folder })
  .sort()
  .flatMap(name => parseLogicFile(basename(name), read(name)));

const services: Record<string, TestService> = {};
before(async () => {
  const sources = [marketSource(parseMarket(read('market.txt')))];
  services['SQLite'] = await TestService.start({ sources, now: () => NOW });
  services['PostgreSQL'] = await TestService.start({ sources, now: () => NOW, storeUrl: await freshPostgresUrl() });
});
after(() => Promise.all(Object.values(services).map(service => service.close())));

function parseMarket(text: string): MarketAsset[] {
  const lines = text.split('\n').filter(line => line.includes(' | ') && !line.startsWith('#'));
  return lines.map(line => {
    const [symbol = '', name = '', rank, type, tags = '', closes = ''] = line.split('|').map(cell => cell.trim());
    const words = tags.split(' ').filter(Boolean);
    return {
      symbol,
      name,
      closes: closes.split(' ').map(Number),
      profile: {
        rank: rank === 'null' ? null : Number(rank),
        type: type === 'null' ? null : type,
        tags: words.map(id => ({ id, name: id, coin_counter: 1, ico_counter: 0 })),
      },
    };
  });
}

/** What a case expects, as a way says it. */
function expectedOf({ expected }: LogicCase): Outcome {
  switch (expected.kind) {
    case 'rows':
      return { rows: expected.rows };
    case 'pages':
      return { pages: expected.pages };
    case 'error': {
      const { code, param, position } = expected;
      return { code, param, position };
    }
  }
}

/** The tool for agents says neither the parameter nor the position of an error. */
function withoutPlace(outcome: Outcome): Outcome {
  return 'code' in outcome ? { code: outcome.code, param: null, position: null } : outcome;
}

/** Every case that was answered otherwise, so that one run shows all of them. */
function assertAll(
  answers: readonly (readonly [LogicCase, Outcome])[],
  seen: (outcome: Outcome) => Outcome = outcome => outcome,
): void {
  const wrong = answers.filter(([logic, outcome]) => !isDeepStrictEqual(seen(outcome), seen(expectedOf(logic))));
  const shown = wrong.map(([logic, outcome]) => ({
    where: logic.where,
    asked: [logic.dataset, ...logic.parameters.map(pair => pair.join('='))].join(' '),
    outcome: seen(outcome),
    expected: seen(expectedOf(logic)),
  }));
  assert.deepEqual(shown, []);
}

const WAYS: Readonly<Record<string, Way>> = { HTTP: overHttp, 'the JavaScript client': byClient };

async function answersBy(way: Way, service: TestService): Promise<[LogicCase, Outcome][]> {
  const answers: [LogicCase, Outcome][] = [];
  for (const logic of cases) {
    const outcome = await way(service, logic);
    if (outcome !== null) answers.push([logic, outcome]);
  }
  return answers;
}

describe('the cases of the logic files', () => {
  for (const store of ['SQLite', 'PostgreSQL']) {
    for (const [name, way] of Object.entries(WAYS)) {
      it(`on ${store}, by ${name}`, async () => {
        const answers = await answersBy(way, services[store]!);
        assert.equal(answers.length, cases.length);
        assertAll(answers);
      });
    }

    it(`on ${store}, by the tool for agents`, async () => {
      const answers = await answersBy(byTool, services[store]!);
      assert.ok(answers.length > cases.length / 3, `${answers.length} of ${cases.length} cases can be asked`);
      assertAll(answers, withoutPlace);
    });

    const python = systemPython();
    it(`on ${store}, by the Python client`, { skip: 'missing' in python && python.missing }, async () => {
      if ('missing' in python) return;
      const outcome = await byPython(python.python, services[store]!, cases);
      assertAll(cases.map((logic, i) => [logic, outcome[i]!]));
    });
  }
});
