// The handler of `alerts`: the saved alerts, for the tiers that include them. The secrets and the paths of the destinations stay in the store.

import { alertEntry } from '../../alerts/alert-entry.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { jsonRecord } from './json-record.ts';
import { refuseParameters } from './parameters.ts';
import { requireSnapshot } from './readiness.ts';

export function alertsHandler(context: ServiceContext): Handler {
  return async request => {
    // The demo has public API keys only, and no alerts that need protection.
    if (!request.tier.alerts && !context.simulated) {
      throw new ApiError('not_in_tier', `The tier ${request.tier.name} does not include the saved alerts.`, {
        hint: "Ask the operator for an API key of a tier with alerts=yes. On the server, 'tidemark alerts list' shows them.",
      });
    }
    refuseParameters(request.query);
    const { version } = requireSnapshot(context);
    const alerts = (await context.alerts()).map(alertEntry).map(({ createdAt, ...alert }) => ({
      ...alert,
      created_at: createdAt,
    }));
    return jsonRecord(context, request, Buffer.from(JSON.stringify({ alerts })), version);
  };
}
