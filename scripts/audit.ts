// Asks the registry whether a dependency that the service runs on has a known hole.
//
// Not every registry answers this question, a mirror often does not, and without a network none does: then there is no verdict,
// which is reported and not a failure.

import { execFile } from 'node:child_process';

export interface Audit {
  readonly verdict: 'clean' | 'holes' | 'none';
  /** A line for each hole, or why there is no verdict. */
  readonly text: string;
}

/** Below these a hole is worth a look, not a failing check. */
const GRAVE = ['high', 'critical'];
const TIMEOUT_MS = 60_000;

export async function audit(cwd: string): Promise<Audit> {
  const options = { cwd, timeout: TIMEOUT_MS };
  // npm ends with an error if there are holes; what it printed says which.
  const json = await new Promise<string>(resolve =>
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (_error, stdout) => resolve(stdout)),
  );
  return verdictOf(json);
}

/** Of what `npm audit --json` has printed. */
export function verdictOf(json: string): Audit {
  const report = parsed(json);
  if (report?.vulnerabilities === undefined) {
    const why = report?.message ?? 'npm gave no answer';
    return { verdict: 'none', text: `the registry cannot be asked for known holes (${withoutAddress(why)})` };
  }
  const grave = Object.entries(report.vulnerabilities).filter(([, { severity }]) => GRAVE.includes(severity));
  const lines = grave.map(([name, { severity, range }]) => `${name} ${range}: ${severity}; see npm audit`);
  return { verdict: lines.length === 0 ? 'clean' : 'holes', text: lines.join('\n') };
}

interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

function parsed(json: string): Report | null {
  try {
    return JSON.parse(json) as Report; // npm's documented form, of which every member may be missing
  } catch {
    return null;
  }
}

function withoutAddress(text: string): string {
  return text.replace(/\s*-?\s*\w*\s*https?:\/\/\S+/g, '');
}
