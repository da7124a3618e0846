// Runs one test file in a process of its own, up to its first failure.

import { spawn } from 'node:child_process';

/** A result of a test, in the Test Anything Protocol. */
const FAILED = /^ *not ok (?!.*# (?:TODO|SKIP))/m;

export interface TestRun {
  readonly passed: Promise<boolean>;
  /** Ends the test, and every process that it has started. */
  end(): void;
}

/** A test that takes longer than `maxMs` fails. */
export function runTest(cwd: string, test: string, maxMs: number, env: Readonly<Record<string, string>>): TestRun {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--test-reporter=tap', '--test-reporter-destination=stdout', test],
    { cwd, stdio: ['ignore', 'pipe', 'ignore'], detached: true, env: { ...process.env, ...env } },
  );
  let isEnded = false;
  const end = () => {
    isEnded = true;
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  const timer = setTimeout(end, maxMs);
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    if (FAILED.test(rest)) end();
    rest = rest.slice(rest.lastIndexOf('\n') + 1);
  });
  const passed = new Promise<boolean>(resolve => {
    child.on('exit', code => {
      clearTimeout(timer);
      const isPassed = code === 0 && !isEnded;
      end();
      resolve(isPassed);
    });
  });
  return { passed, end };
}
