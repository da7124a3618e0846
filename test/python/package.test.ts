// The Python package against the real server in a process of its own: first with the standard library of any Python 3.10, then with pandas,
// Polars and pyarrow in a virtual environment; its checks, and the wheel in an empty environment.
//
// Without Python, or without PyPI, the tests that need them are skipped. TIDEMARK_PYTHON names a Python that has the packages.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makePythonPackage } from '../../scripts/package-python.ts';
import { PACKAGES, pythonEnvironment, systemPython } from '../../scripts/python-environment.ts';
import { pythonQueries } from '../../scripts/python-queries.ts';
import { pythonTypes } from '../../scripts/python-types.ts';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import { DEMO_URL, type DemoServer, startDemo } from '../support/demo-server.ts';
import { copyDemoStore } from '../support/demo-store.ts';
import { ServerProcess } from '../support/server-process.ts';

const folder = join(import.meta.dirname, '../../python');
const system = systemPython();
const environment = await pythonEnvironment(PACKAGES);
const python = 'python' in environment ? environment.python : '';
const NO_PYTHON = 'missing' in system && system.missing;
const skip = NO_PYTHON || ('missing' in environment && environment.missing);

const work = mkdtempSync(join(tmpdir(), 'tidemark-python-'));
let server: ServerProcess;
/** The market of a fixed day, whose numbers the examples state. */
let demo: DemoServer;
before(async () => {
  if (NO_PYTHON !== false) return;
  await copyDemoStore(join(work, 'demo.db'));
  const store = `sqlite:${join(work, 'demo.db')}`;
  const environmentBefore = process.env['TIDEMARK_NO_TICKS'];
  process.env['TIDEMARK_NO_TICKS'] = 'false'; // streams have something to tell
  server = await ServerProcess.start('--workers', '1', '--demo', '--store', store);
  if (environmentBefore === undefined) delete process.env['TIDEMARK_NO_TICKS'];
  else process.env['TIDEMARK_NO_TICKS'] = environmentBefore;
  demo = await startDemo({ publicUrl: null });
});
after(async () => {
  await server?.stop();
  await demo?.close();
  rmSync(work, { recursive: true });
});

/** Fails with what the program printed unless it succeeds; returns what it printed. Not synchronous: this process serves its requests. */
function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...process.env,
    PYTHONPATH: join(folder, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    TIDEMARK_TEST_URL: server.url,
    TIDEMARK_TEST_FIXED_URL: demo.url,
    TIDEMARK_TEST_PRO_KEY: DEMO_KEYS.pro,
    TIDEMARK_TEST_FREE_KEY: DEMO_KEYS.free,
    ...variables,
  };
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}\n${stderr}`.trim())) : resolve(stdout + stderr),
    );
  });
}

describe('the generated modules', () => {
  const read = (name: string) => readFileSync(join(folder, 'src/tidemark', name), 'utf8');
  it('types.py is what the catalogue and the OpenAPI document say (npm run docs writes it)', () => {
    assert.equal(read('types.py'), pythonTypes());
  });
  it('_queries.py is what the catalogue and the OpenAPI document say (npm run docs writes it)', () => {
    assert.equal(read('_queries.py'), pythonQueries());
  });
});

it('the package has the version of the server', () => {
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string };
  assert.ok(readFileSync(join(folder, 'src/tidemark/__init__.py'), 'utf8').includes(`__version__ = '${version}'\n`));
});

describe('the package with the standard library only', () => {
  for (const name of ['values', 'transport', 'events', 'service']) {
    it(`passes tests/test_${name}.py`, { skip: NO_PYTHON }, async () => {
      const { python: own } = system as { python: string }; // skipped otherwise
      const said = await run(own, ['-W', 'error', '-m', 'unittest', `tests.test_${name}`]);
      assert.match(said, /^OK$/m, said);
    });
  }
});

describe('the package with pandas, Polars and pyarrow', () => {
  it('passes its other tests by pytest, every example included', { skip }, async () => {
    const said = await run(python, [
      '-m',
      'pytest',
      '-q',
      '-p',
      'no:cacheprovider',
      'tests/test_frames.py',
      'tests/test_examples.py',
    ]);
    assert.match(said, /^\d+ passed/m, said);
    assert.doesNotMatch(said, /skipped/, said);
  });

  it('is clean to mypy --strict', { skip }, async () => {
    assert.match(await run(python, ['-m', 'mypy', '--cache-dir', join(work, 'mypy')]), /no issues found/);
  });

  it('is clean to ruff, and formatted', { skip }, async () => {
    await run(python, ['-m', 'ruff', 'check', '--no-cache', '.']);
    await run(python, ['-m', 'ruff', 'format', '--no-cache', '--check', '.']);
  });

  it('is typed: a checker refuses what is misspelt', { skip }, async () => {
    const lines = [
      'tm.listing(prise=(1, None))',
      "tm.listing(limit='many')",
      "tm.export('bars').to_panda()",
      "[row['closse'] for row in tm.bars(symbol='BTC')]",
    ];
    const complaints = [
      /:4: error: Unexpected keyword argument "prise"/,
      /:5: error: Argument "limit".* has incompatible type "str"/,
      /:6: error: "Export" has no attribute "to_panda"/,
      /:7: error: TypedDict "BarsRow" has no key "closse"/,
    ];
    const file = join(work, 'program.py');
    writeFileSync(file, `from tidemark import Tidemark\n\ntm = Tidemark()\n${lines.join('\n')}\n`);
    const args = ['-m', 'mypy', '--strict', '--cache-dir', join(work, 'mypy'), '--config-file', '', file];
    await assert.rejects(run(python, args), ({ message }: Error) => {
      for (const complaint of complaints) assert.match(message, complaint);
      return true;
    });
  });

  it('as a wheel in an empty environment, runs the five lines of its README', { skip }, async () => {
    const { wheel } = makePythonPackage(join(work, 'dist'), python);
    const empty = join(work, 'empty');
    assert.equal(spawnSync(python, ['-m', 'venv', empty]).status, 0);
    const own = join(empty, 'bin/python');
    await run(own, ['-m', 'pip', 'install', '-q', '--no-index', '--disable-pip-version-check', wheel]);
    assert.match(await run(own, ['-m', 'pip', 'show', 'tidemark'], { PYTHONPATH: '' }), /^Requires: ?$/m);
    const lines = readFileSync(join(folder, 'README.md'), 'utf8').split('```python\n')[1]!.split('```')[0]!; // the page has it
    const program = lines.replaceAll(DEMO_URL, demo.url);
    // pandas and pyarrow come from the other environment: this one has nothing but the wheel.
    const packages = (await run(python, ['-c', 'import pandas; print(pandas.__path__[0])']))
      .trim()
      .replace(/\/pandas$/, '');
    const path = `import sys; sys.path.append(${JSON.stringify(packages)})\n`;
    const printed = await run(own, ['-c', `${path}${program}\nimport tidemark; print(tidemark.__file__)`], {
      PYTHONPATH: '',
    });
    assert.match(printed, /^ +price +change30 +rsi14\n/);
    assert.ok(printed.trim().split('\n').length >= 4, printed);
    assert.ok(printed.includes(`${empty}/`), 'the installed package ran');
    await assert.rejects(
      run(own, ['-c', program], { PYTHONPATH: '' }),
      /to_pandas\(\) needs pandas: pip install pandas/,
    );
  });
});
