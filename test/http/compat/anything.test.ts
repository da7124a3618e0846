// Whatever the parameters are, the paths of other services answer as documented, and never with a fault of the service.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COMPAT } from '../../../src/api/compat/endpoints.ts';
import { type CompatDemo, startCompat } from './compat.ts';

let demo: CompatDemo;
before(async () => {
  demo = await startCompat('');
});
after(() => demo.close());

const VALUES = [
  ...[
    '',
    '0',
    '1',
    '-1',
    '1e308',
    '999999',
    '9999999999',
    '99999999999',
    'max',
    'full',
    '18',
    'true',
    'usd',
    'aldermoor',
  ],
  ...[
    '__proto__',
    'constructor',
    ',',
    ',,a,,',
    '%00',
    '%F0%9F%98%80',
    '%',
    '%ff',
    '2026-06-30',
    '2026-13-45',
    '1969-12-31',
  ],
  ...['9999-12-31', '2026-06-30T99:00:00Z', '-', 'tdm_DemoProKeyOfTheSimulatedMarket001xsmsd', 'a'.repeat(5000)],
];
const IDS = ['aldermoor', 'aldm-aldermoor', '__proto__', '%00', '%2F', '-', '%F0%9F%98%80', 'a'.repeat(900)];
const REQUIRED = [
  ...['vs_currency=usd', 'vs_currencies=usd', 'ids=aldermoor', 'days=1', 'from=1', 'to=2', 'start=2026-06-01', 'q=a'],
  ...['symbol=ALDM', 'resolution=1D'],
];

/** All required parameters, one of which has another value. */
function queries(names: readonly string[]): string[] {
  const required = REQUIRED.filter(pair => names.includes(pair.split('=')[0]!));
  const changed = names.flatMap(name =>
    VALUES.map(value => {
      const others = required.filter(pair => !pair.startsWith(`${name}=`));
      return [...others, `${name}=${value}`].join('&');
    }),
  );
  return ['', required.join('&'), ...changed];
}

const address = (path: string, id: string) => path.replace('{group}', 'crypto').replace('{id}', id);

describe('the paths of other services, asked anything', () => {
  for (const { path, parameters } of COMPAT) {
    it(`${path} answers as documented`, async () => {
      const names = parameters.map(({ name }) => String(name));
      const [first = ''] = IDS;
      const paths = queries(names).map(query => `${address(path, first)}?${query}`);
      const named = path.includes('{id}') ? IDS.map(id => `${address(path, id)}?${REQUIRED.join('&')}`) : [];
      for (const each of [...paths, ...named]) {
        const { status, text } = await demo.ask(each);
        assert.ok(status < 500, `${each}: ${status} ${text}`);
        assert.doesNotMatch(text, /DemoProKey/);
      }
    });
  }
});
