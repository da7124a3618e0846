// `tidemark mcp`: the tools for AI agents over standard input and output, of a store or of a running service.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { finish } from '../common/steps.ts';
import { TIERS } from '../domain/tiers.ts';
import type { ToolName } from '../domain/tool-names.ts';
import { remoteServer } from '../mcp/remote-server.ts';
import { StdioServerTransport, serveStdio } from '../mcp/sdk.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Values } from '../mcp/tool.ts';
import { callTool } from '../mcp/tools.ts';
import { withStore } from './actions.ts';
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
    const calls = new Calls();
    return untilClosed(() => remoteServer(VERSION, service, call => calls.follow(call)), calls);
  },
};

async function fromStore({ config, output }: Invocation): Promise<number> {
  const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
  return withStore(url, config.demo, async store => {
    if (config.demo) {
      const { prepareDemo } = await import('./demo-store.ts');
      await prepareDemo(store, output);
    }
    const simulated = config.demo || url === DEMO_STORE;
    const data = localToolData(store, { group: config.group, simulated });
    await data.refresh();
    output.say('tidemark mcp: tools of the store');
    const context = { data, maxRows: TIERS.unlimited.maxRows, baseUrl: config['public-url'], run: finish };
    const calls = new Calls();
    const call = async (name: ToolName, values: Values) => {
      await data.refresh();
      return callTool(name, values, context);
    };
    return await untilClosed(() => mcpServer(VERSION, (name, values) => calls.follow(call(name, values))), calls);
  });
}

/** A program that pipes its calls closes the input before it has read the answers: they are still written. */
async function untilClosed(factory: Factory, calls: Calls): Promise<number> {
  // The library drops the calls that it has when its input ends.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const handle = serveStdio(factory, { transport: new StdioServerTransport(input, process.stdout) });
  const signals = stopSignals();
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  await Promise.race([ended.then(() => calls.allAnswered()), signals.first]);
  await handle.close();
  return 0;
}

/** The calls that are not answered yet. */
class Calls {
  readonly #running = new Set<Promise<unknown>>();

  follow<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    const done = () => this.#running.delete(call);
    call.then(done, done);
    return call;
  }

  async allAnswered(): Promise<void> {
    // What was read last becomes a call, and a call an answer, within a few turns of the event loop.
    for (let turns = 0; turns < 10; turns++) {
      await setImmediate();
      if (this.#running.size === 0) continue;
      await Promise.allSettled(this.#running);
      turns = 0;
    }
  }
}
