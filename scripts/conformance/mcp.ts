// The protocol's own programs against the demo: the conformance checks of the current specification, and the inspector's command line with
// every tool, over HTTP and over standard input and output. Both come by npx, because together they are larger than all of the project's
// own dependencies.

import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withDemo } from './demo.ts';
import type { Suite } from './suite.ts';

const run = promisify(execFile);
/** The first version that knows which scenarios a specification requires. */
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const SPECIFICATION = '2026-07-28';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const MAX_OUTPUT = 2 ** 26;

/** Programs that npx starts run with the Node of this process, not with an older one of the machine. */
const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` };

async function npx(...args: string[]): Promise<string> {
  const { stdout } = await run('npx', ['-y', ...args], { env, maxBuffer: MAX_OUTPUT });
  return stdout;
}

/** Why npx cannot run a package; null if it can. */
async function whyNot(pack: string): Promise<string | null> {
  try {
    await npx(pack, '--help');
    return null;
  } catch (error) {
    const output = String((error as { stderr?: string }).stderr ?? error); // of a program that failed
    return `npx cannot run ${pack}: ${output.trim().split('\n').at(-1)}`;
  }
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** What the suite needs of the server that it tests and a server of five read-only tools does not have, by the scenario or the message. */
const INAPPLICABLE: readonly (readonly [what: RegExp, why: string])[] = [
  [/^(?:tasks-|sep-2640-)/, 'an extension that the server does not offer'],
  [/^input-required-/, 'a tool of the reference test server'],
  [
    /There is no tool "|Tool '\w+' not found|diagnostic tool '|x-mcp-header annotations/,
    'a tool of the reference test server',
  ],
  [
    /^(?:prompts-|resources-|completion-).*Method not found|(?:prompts|resources)\/[\w/]+ returned JSON-RPC error -32601/,
    'prompts, resources or completions, which the server does not offer',
  ],
];

export const mcpConformance: Suite = {
  name: 'MCP conformance',
  tests: `\`POST /mcp\`, by the requirements of the specification ${SPECIFICATION}`,
  async run() {
    const missing = await whyNot(CONFORMANCE);
    if (missing !== null) return { missing };
    return withDemo(async (url, _, folder) => {
      const out = join(folder, 'checks');
      // It ends with 1 if a check fails; the checks say which.
      await npx(CONFORMANCE, 'server', '--url', `${url}/mcp`, '--requirements', SPECIFICATION, '-o', out).catch(
        () => {},
      );
      const checks = globSync('*/checks.json', { cwd: out }).flatMap(file => {
        const scenario = file.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, '');
        const found = JSON.parse(readFileSync(join(out, file), 'utf8')) as Check[]; // written by the suite
        return found.map(check => ({ ...check, text: `${scenario} ${check.id}: ${check.errorMessage ?? ''}` }));
      });
      const failures = checks.filter(({ status }) => status === 'FAILURE').map(({ text }) => text);
      const reasonOf = (text: string) => INAPPLICABLE.find(([what]) => what.test(text))?.[1] ?? null;
      const reasons = Map.groupBy(failures, reasonOf);
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      return {
        tool: CONFORMANCE,
        counted: 'checks',
        passed,
        failed: passed === 0 ? ['no check was made'] : (reasons.get(null) ?? []),
        inapplicable: [...reasons].flatMap(([why, texts]) => (why === null ? [] : [{ count: texts.length, why }])),
      };
    });
  },
};

const CALLS = [
  ['screen_assets', 'limit=2'],
  ['search_assets', 'text=aldermoor'],
  ['get_asset', 'asset=ALDM'],
  ['get_history', 'asset=ALDM'],
  ['describe_columns', 'group=change'],
] as const;

export const mcpInspector: Suite = {
  name: 'MCP Inspector',
  tests: 'every tool, over HTTP and over standard input and output',
  async run() {
    const missing = await whyNot(INSPECTOR);
    if (missing !== null) return { missing };
    return withDemo(async (url, store) => {
      const launcher = join(import.meta.dirname, '../launch.js');
      const failed: string[] = [];
      let passed = 0;
      for (const [way, target] of [
        ['HTTP', [`${url}/mcp`, '--transport', 'http']],
        ['stdio', [process.execPath, launcher, 'mcp', '--store', store]],
      ] as const) {
        for (const [name, argument] of CALLS) {
          const call = ['--method', 'tools/call', '--tool-name', name, '--tool-arg', argument];
          const output = await npx(INSPECTOR, '--cli', ...target, ...call).catch(String);
          if (isAnswer(output)) passed++;
          else failed.push(`${name}, ${way}: ${output.slice(0, 200)}`);
        }
      }
      return { tool: INSPECTOR, counted: 'calls', passed, failed, inapplicable: [] };
    });
  },
};

function isAnswer(output: string): boolean {
  const start = output.indexOf('{');
  if (start < 0) return false;
  // The result of a call, as the protocol has it.
  const { content, isError } = JSON.parse(output.slice(start)) as { content?: object[]; isError?: boolean };
  return isError !== true && (content?.length ?? 0) > 0;
}
