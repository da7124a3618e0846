// The list of saved alerts over HTTP: who may see it, and what it never says.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSecret } from '../../src/domain/alert.ts';
import { resolveTiers } from '../../src/domain/tiers.ts';
import { openToAll } from '../../src/http/authentication/open-access.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, startContractService } from './contract.ts';

const PATH = '/v1/crypto/alerts';
const SECRET = newSecret();
const ALERT = {
  id: 'alert_1',
  name: 'Falling',
  query: 'where=change7 < -20',
  on: 'enter',
  format: 'slack',
  target: { url: 'https://hooks.example/services/T0/B0/hidden?token=hidden', secret: SECRET },
} as const;

async function withService(
  options: Parameters<typeof startContractService>[0],
  check: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startContractService(options);
  try {
    await service.store.createAlert(ALERT);
    await check(service);
  } finally {
    await service.close();
  }
}

const tiers = resolveTiers('desk: alerts=yes');

describe('the saved alerts', () => {
  for (const [name, simulated, allowed] of [
    ['free', false, false],
    ['basic', false, false],
    ['pro', false, false],
    ['unlimited', false, false],
    ['desk', false, true],
    ['free', true, true],
  ] as const) {
    it(`are ${allowed ? '' : 'not '}shown to the tier ${name}${simulated ? ' of the demo' : ''}`, () =>
      withService({ authenticate: openToAll(tiers.get(name)!), simulated }, async service => {
        const answer = await service.ask(PATH);
        if (!allowed) assertProblem(answer, 403, 'not_in_tier');
        else assert.equal(answer.status, 200);
        assert.equal(answer.text.includes(ALERT.name), allowed);
      }));
  }

  it('have their query and state, the host of the destination, and no secret', () =>
    withService({ authenticate: openToAll(tiers.get('desk')!) }, async service => {
      const answer = await service.ask(PATH);
      const { alerts } = answer.json<{ alerts: readonly Record<string, unknown>[] }>();
      const { created_at: created, ...rest } = alerts[0]!;
      assert.ok(!Number.isNaN(Date.parse(String(created))));
      const { target: _, ...known } = ALERT;
      assert.deepEqual(rest, { ...known, to: 'https://hooks.example/…', state: 'active', matching: null, waiting: 0 });
      for (const secret of [SECRET, 'hidden', 'whsec_']) assert.ok(!answer.text.includes(secret), secret);
    }));

  it('take no parameters', () =>
    withService({ authenticate: openToAll(tiers.get('desk')!) }, async service => {
      assertProblem(await service.ask(`${PATH}?limit=1`), 400, 'unknown_parameter', 'limit');
    }));
});
