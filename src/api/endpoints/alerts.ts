// `alerts`: the saved alerts, for the tiers that include them. The secrets and the paths of the destinations stay in the store.

import { alertEntry } from '../../alerts/alert-entry.ts';
import { ALERT_DIRECTIONS, ALERT_FORMATS } from '../../domain/alert.ts';
import { ApiError } from '../../errors.ts';
import { endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { exactly, type JsonObject, listOf, nullable } from '../json-schema.ts';
import { noParameters } from '../parameters.ts';
import { record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export const alerts = endpoint({
  id: 'listAlerts',
  path: '/v1/{group}/alerts',
  tag: 'Listings',
  summary: 'The saved alerts, for tiers that include them',
  description:
    'Alerts belong to the operator, who creates them on the command line. No built-in tier includes this list: the setting `tiers` allows it ' +
    'with `alerts=yes`. The demo shows it to everyone.',
  parameters: noParameters(),
  errors: ['not_in_tier'],
  response: record('The alerts.', 'Alerts'),
  schemas: { Alerts: schema() },
  handle: context => async request => {
    // The demo has public API keys only, and no alerts that need protection.
    if (!request.tier.alerts && !context.simulated) {
      throw new ApiError('not_in_tier', `The tier ${request.tier.name} does not include the saved alerts.`, {
        hint: "Ask the operator for an API key of a tier with alerts=yes. On the server, 'tidemark alerts list' shows them.",
      });
    }
    const { version } = requireSnapshot(context);
    const found = (await context.alerts()).map(alertEntry).map(({ createdAt, ...alert }) => ({
      ...alert,
      created_at: createdAt,
    }));
    return jsonRecord(context, request, Buffer.from(JSON.stringify({ alerts: found })), version);
  },
});

function schema(): JsonObject {
  const text = { type: 'string' };
  const alert = exactly({
    id: text,
    name: text,
    query: { ...text, description: 'A query string of `ta-cur`.' },
    on: { enum: [...ALERT_DIRECTIONS], description: 'What it reports: assets that enter, leave, or both.' },
    format: { enum: [...ALERT_FORMATS] },
    to: nullable('string', 'Where it posts, without path and query, which may be secrets; null without a destination.'),
    state: {
      enum: ['active', 'paused', 'invalid'],
      description: '`invalid`: the service no longer understands its query.',
    },
    matching: nullable('integer', 'Assets that match; null before the first evaluation.'),
    waiting: { type: 'integer', minimum: 0, description: 'Messages that wait for their delivery.' },
    created_at: { ...text, description: 'ISO 8601.' },
  });
  return exactly({ alerts: listOf(alert, 'Oldest first.') });
}
