// `tidemark mcp`: the tools for AI agents over standard input and output, of a store or of a running service.

import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { TIERS } from '../domain/tiers.ts';
import { remoteServer } from '../mcp/remote-server.ts';
import { mcpServer } from '../mcp/server.ts';
import { callTool } from '../mcp/tools.ts';
import { openStore } from '../store/open.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { DEMO_STORE } from './demo-url.ts';
import { localToolData } from './local-tool-data.ts';
import { stopSignals } from './stop-signals.ts';
import { VERSION } from './version.ts';

type Factory = Parameters<typeof serveStdio>[0];

export const mcp: Command = {
  name: 'mcp',
  summary: 'Offer the tools for AI agents over standard input and output (Model Context Protocol)',
  usage: ['[--store URL]', '--url URL [--key KEY]', '--demo'],
  maxArgs: 0,
  settings: ['url', 'key', 'store', 'group', 'public-url', 'demo'],
  options: {},
  about: `
A desktop client starts this command by itself: see docs/how-to/agents.md. With --url, the tools are those of a running service, with the
limits of the API key. Without it, they read the store in this process, without limits; new data is shown at once. Standard output carries
the protocol, so everything else is on standard error. The command ends when its standard input is closed.`,
  async run(invocation) {
    const { config, output } = invocation;
    if (config.url === '') return fromStore(invocation);
    for (const name of ['store', 'demo'] as const) {
      if (config.given.has(name)) throw new UsageError(`mcp takes --url or --${name}, not both`);
    }
    output.say(`tidemark mcp: tools of ${config.url}`);
    const service = { url: config.url, key: config.key === '' ? null : config.key };
    return untilClosed(() => remoteServer(VERSION, service));
  },
};

async function fromStore({ config, output }: Invocation): Promise<number> {
  const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
  const store = await openStore(url, { create: config.demo });
  try {
    if (config.demo) {
      const { prepareDemo } = await import('./demo-store.ts');
      await prepareDemo(store, output);
    }
    const simulated = config.demo || url === DEMO_STORE;
    const data = localToolData(store, { group: config.group, simulated });
    await data.refresh();
    output.say('tidemark mcp: tools of the store');
    const context = { data, maxRows: TIERS.unlimited.maxRows, baseUrl: config['public-url'] };
    return await untilClosed(() =>
      mcpServer(VERSION, async (name, values) => {
        await data.refresh();
        return callTool(name, values, context);
      }),
    );
  } finally {
    await store.close();
  }
}

async function untilClosed(factory: Factory): Promise<number> {
  const handle = serveStdio(factory);
  const signals = stopSignals();
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), signals.first]);
  await handle.close();
  return 0;
}
