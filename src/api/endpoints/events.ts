// `events`: one event per publication.

import { endpoint } from '../endpoint.ts';
import { streamAnswer, streamClient } from '../event-streams.ts';
import { noParameters } from '../parameters.ts';
import { OF_DATA } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export const events = endpoint({
  kind: 'stream',
  id: 'streamEvents',
  path: '/v1/{group}/events',
  tag: 'Streams',
  summary: 'Publications, as Server-Sent Events',
  description:
    'One event `publication` when the stream begins, and one per publication. Its data is an object: `version`, `newest_day`, ' +
    '`changed`, `added` and `removed` (numbers of rows of the listing), and `all`, which is true if the server does not know ' +
    'what the client has seen; the counts are then null. The `id` of an event is the version. ' +
    'A comment is sent after 15 seconds without an event. The last event is `goodbye`, with a `reason`.',
  parameters: noParameters(),
  requestHeaders: ['Last-Event-ID'],
  errors: ['too_many_streams', 'columns_pending'],
  response: {
    200: {
      description: 'The stream, until the client or the server ends it.',
      headers: ['Cache-Control', 'X-Accel-Buffering', ...OF_DATA],
      content: {
        'text/event-stream': {
          schema: { type: 'string', description: 'UTF-8 text in the format of Server-Sent Events.' },
        },
      },
    },
  },
  handle: context => request => {
    const { version } = requireSnapshot(context);
    const { 'last-event-id': lastEventId } = request.headers;
    const seen = lastEventId === undefined ? null : Number(lastEventId);
    return streamAnswer(context, version, '', sink =>
      context.streams.openPublications(streamClient(context, request), seen, sink),
    );
  },
});
