// The real server with limits of a test's own, in a process of its own, so that its memory and its open files can be counted.
//
//   node test/resilience/load/limited-server.ts '{"headersMs":1000}'

import { manyAssets } from '../../http/many-assets.ts';
import { TestService } from '../../support/service.ts';

/** Their listing is longer than what the system takes in for a reader that does not read. */
const ASSETS = 20_000;

const service = await TestService.start({
  sources: [manyAssets(ASSETS)],
  connectionLimits: JSON.parse(process.argv[2] ?? '{}'),
});
process.stdout.write(`${JSON.stringify({ address: service.url })}\n`);
process.once('SIGTERM', () => void service.close());
