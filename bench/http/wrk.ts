// Load from a process of its own: wrk, from Debian's packages.

import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  readonly url: string;
  /** Paths with queries, asked for in turn. */
  readonly paths: readonly string[];
  /** Sent by POST in turn to the first path; without them, the paths are asked for by GET. */
  readonly bodies?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

export function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    // It prints its version and ends with 1.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error("this benchmark needs wrk: 'apt-get install wrk'");
    }
  }
}

/** Fails when any answer was not 2xx or 3xx: a fast error is not a response. */
export async function load(
  folder: string,
  { url, paths, bodies, headers, connections, seconds }: Load,
): Promise<Measured> {
  const script = join(folder, 'requests.lua');
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  writeFileSync(
    script,
    `${lines.join('\n')}
local requests = {}
local next = 0
init = function(args)
  for _, path in ipairs({ ${bodies === undefined ? paths.map(path => JSON.stringify(path)).join(', ') : ''} }) do
    table.insert(requests, wrk.format("GET", path))
  end
  for _, body in ipairs({ ${(bodies ?? []).map(body => JSON.stringify(body)).join(', ')} }) do
    table.insert(requests, wrk.format("POST", ${JSON.stringify(paths[0])}, nil, body))
  end
end
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  io.write(string.format("MEASURED %f %f %d\\n", summary.requests / summary.duration * 1e6, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`,
  );
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '60s',
    '-s',
    script,
    url,
  ]);
  const [, perSecond, p99, errors] = /MEASURED ([\d.]+) ([\d.]+) (\d+)/.exec(stdout) ?? [];
  if (perSecond === undefined || p99 === undefined) throw new Error(`wrk said nothing of use: ${stdout}`);
  if (errors !== '0') throw new Error(`${errors} requests to ${url} failed: ${stdout}`);
  return { perSecond: Number(perSecond), p99: Number(p99) };
}
