// Programs in Python that the docs show, run against a server in this process.

import { spawn, spawnSync } from 'node:child_process';

/** The first Python on this machine that has all of these modules. */
export function pythonWith(...modules: readonly string[]): string | undefined {
  const check = modules.map(name => `import ${name}`).join('\n');
  const names = [process.env['TIDEMARK_PYTHON'] ?? 'python3', 'python'];
  return names.find(name => spawnSync(name, ['-c', check]).status === 0);
}

/** The exit code, and all that the program printed. Not synchronous: this process serves its requests. */
export function runPython(python: string, script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(python, ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise(resolve => {
    child.on('close', code => resolve({ code, output: output.trim() }));
  });
}
