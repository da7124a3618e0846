import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadCommands } from '../../../src/cli/commands.ts';
import { SETTINGS } from '../../../src/config.ts';

const COMMANDS = await loadCommands();

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-cli-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  return { status, stdout, stderr };
}

function closes(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('the command line', () => {
  it('without a command, and with help, lists every command', () => {
    for (const args of [[], ['help'], ['--help']]) {
      const { status, stdout } = tidemark(args);
      assert.equal(status, 0);
      for (const { name, summary } of COMMANDS) assert.ok(stdout.includes(`  ${name}`) && stdout.includes(summary));
    }
  });

  for (const command of COMMANDS) {
    it(`help ${command.name} and ${command.name} --help tell its usage and every flag`, () => {
      const { status, stdout } = tidemark(['help', command.name]);
      assert.equal(status, 0);
      assert.equal(tidemark([command.name, '--help']).stdout, stdout);
      for (const name of [...command.settings, ...Object.keys(command.options), 'json', 'debug', 'config']) {
        assert.match(stdout, new RegExp(`^  --${name}\\b`, 'm'));
      }
      const flags = Array.from(stdout.matchAll(/^ {2}(--[a-z0-9-]+)/gm), ([, flag]) => flag);
      assert.deepEqual(flags, [...new Set(flags)], 'each once');
    });

    it(`${command.name} names only settings that exist`, () => {
      for (const name of command.settings) assert.ok(name in SETTINGS, name);
    });
  }

  it('ingest SOURCE --help shows the flags of that source only, and the exchanges', () => {
    const csv = tidemark(['ingest', 'csv', '--help']).stdout;
    assert.match(csv, /--symbol-from-name/);
    assert.doesNotMatch(csv, /--exchange|--paprika-key/);
    assert.equal(tidemark(['help', 'ingest', 'csv']).stdout, csv);
    const ccxt = tidemark(['ingest', 'ccxt', '--help']).stdout;
    assert.match(ccxt, /Exchanges:\n(.*\n)* .* kraken /);
    assert.doesNotMatch(ccxt, /--symbol-from-name/);
  });

  for (const [what, args, message] of [
    ['a decimal sign that is none', ['ingest', 'csv', 'x', '--decimal', ';'], /--decimal: expected \. or ,/],
    ['a command that is none', ['ingst'], /unknown command "ingst"; did you mean 'ingest'\?/],
    ['a flag that is none', ['status', '--stroe', 'x'], /status has no flag --stroe; did you mean --store\?/],
    ['a flag without its value', ['status', '--store'], /status: .*--store/],
    ['a setting that is wrong', ['serve', '--port', 'http'], /--port: expected a whole number/],
    ['a source that is none', ['ingest', 'cvs'], /there is no source "cvs"; did you mean 'csv'\?/],
    ['a source without files', ['ingest', 'csv'], /ingest csv needs files or folders/],
    ['an exchange without a name', ['ingest', 'ccxt'], /needs --exchange/],
    [
      'a misspelt exchange',
      ['ingest', 'ccxt', '--exchange', 'krakn', '--quote', 'USD'],
      /--exchange: there is no exchange "krakn"; did you mean kraken\?/,
    ],
    [
      'a schedule of a misspelt exchange',
      ['serve', '--schedule', '1d ccxt --exchange krakn --quote USD'],
      /--schedule: .*there is no exchange "krakn"; did you mean kraken\?/,
    ],
    ['an argument too many', ['ingest', 'demo', 'x'], /takes no argument, but got "x"/],
    ['a source named like a property of every object', ['ingest', 'constructor'], /there is no source "constructor"/],
    ['a flag of another source', ['ingest', 'csv', 'x.csv', '--exchange', 'kraken'], /has no flag --exchange/],
    ['an argument that nothing takes', ['status', 'extra'], /status takes no argument, but got "extra"/],
    ['a load that is not a number', ['status', '--load', 'last'], /--load: expected the number of a load/],
    ['a store of an unknown kind', ['status', '--store', 'mysql://x'], /sqlite:PATH or postgres:/],
    ['a schedule that is none', ['serve', '--schedule', 'hourly'], /such as '1h coinpaprika'/],
    [
      'a schedule of a source that is none',
      ['serve', '--schedule', '1h foo'],
      /--schedule: '1h foo': there is no source "foo"/,
    ],
    [
      'a schedule with a wrong flag',
      ['serve', '--schedule', '1d csv x.csv --exchnge kraken'],
      /--schedule: .*no flag --exchnge; did you mean --exchange\?/,
    ],
    [
      'a schedule that lacks a flag',
      ['serve', '--schedule', '1d ccxt --exchange kraken'],
      /--schedule: .*ingest ccxt needs --quote/,
    ],
    ['tiers that are none', ['serve', '--tiers', 'free: rat=1'], /the tier free has no 'rat'; did you mean rate\?/],
    ['a proxy without its hops', ['serve', '--trust-proxy', 'x-forwarded'], /--trust-proxy: expected x-forwarded:N/],
    ['a word for a flag', ['serve', 'demo'], /serve takes no argument, but got "demo"/],
    ['what npm leaves of --port 8309', ['serve', '--demo', '8309'], /got "8309"\n.*npm start -- --port 8081/],
    ['two files for a backup', ['backup', 'a', 'b'], /backup takes 1 argument, but got "b"/],
    ['a word too many for verify', ['verify', 'x'], /verify takes no argument, but got "x"/],
    ['a word too many for help', ['help', 'serve', 'x'], /help takes 1 argument, but got "x"/],
    ['a word too many for version', ['version', 'x'], /version takes no argument, but got "x"/],
  ] as const) {
    it(`answers wrong usage with code 2 and what would be right: ${what}`, () => {
      const { status, stdout, stderr } = tidemark(args);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    });
  }

  for (const [what, args, message] of [
    ['a missing file', ['ingest', 'csv', 'nowhere.csv'], /nowhere\.csv/],
    ['a store that is no database', ['status', '--store', `sqlite:${launcher}`], /launch\.js/],
  ] as const) {
    it(`fails with code 1 and a line to act on: ${what}`, () => {
      const { status, stdout, stderr } = tidemark(args);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at |should not happen/);
    });
  }

  it('says once why a server cannot start', () => {
    const { status, stderr } = tidemark(['serve', '--port', '0', '--store', `sqlite:${launcher}`]);
    assert.equal(status, 1);
    assert.equal(stderr.match(/launch\.js/g)?.length, 1, stderr);
  });

  it('ends quietly when its output is closed', () => {
    const command = `"${process.execPath}" "${launcher}" help ingest | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(stdout, '0\n');
  });

  it('shows where an error came from with --debug', () => {
    assert.match(tidemark(['ingest', 'csv', 'nowhere.csv', '--debug']).stderr, /\n\s+at /);
  });

  it('reads settings from tidemark.json, and says so when it cannot', () => {
    const config = closes('settings.json', '{"store": "sqlite:from-file.db"}');
    const { status, stderr } = tidemark(['status', '--config', config]);
    assert.equal(status, 1);
    assert.match(stderr, /there is no store .*from-file\.db\n/);
    assert.equal(existsSync(join(folder, 'from-file.db')), false, 'looking does not make one');
    closes('broken.json', '{');
    const broken = tidemark(['status', '--config', 'broken.json']);
    assert.equal(broken.status, 2);
    assert.match(broken.stderr, /broken\.json: not a JSON file/);
  });
});

describe('ingest, status and verify', () => {
  const store = ['--store', 'sqlite:cli.db'];

  it('load, show and check a file, and say so in words', () => {
    const file = closes('a.csv', 'symbol,day,close\nAAA,2024-01-01,1\nAAA,2024-01-02,2\nBBB,2024-01-02,-5\n');
    const loaded = tidemark(['ingest', 'csv', file, ...store]);
    assert.equal(loaded.status, 0);
    assert.match(loaded.stdout, /3 records read .*\n.*2 new, 0 replaced, 0 unchanged\n.*1 refused/);
    assert.match(loaded.stderr, /refused .*a\.csv:4 {2}bad_price: close -5 of BBB/);
    const shown = tidemark(['status', ...store]).stdout;
    assert.match(shown, /bars +2 \(1d\)\n/);
    assert.match(shown, /days +2024-01-01 to 2024-01-02\n/);
    assert.match(shown, /a\.csv:4 {2}bad_price/);
    assert.match(tidemark(['status', '--load', '1', ...store]).stdout, /a\.csv:4 {2}bad_price/);
    assert.equal(tidemark(['status', '--load', '99', ...store]).status, 1);
    const verified = tidemark(['verify', ...store]);
    assert.equal(verified.status, 0);
    assert.match(verified.stdout, /1 row, 34 values recomputed .*no differences/);
  });

  it('print one JSON document with --json', () => {
    const input = 'symbol,day,close\nCCC,2024-01-02,3\n';
    const loaded = JSON.parse(tidemark(['ingest', 'csv', '-', '--json', ...store], input).stdout);
    assert.deepEqual([loaded.source, loaded.state, loaded.inserted], ['csv', 'done', 1]);
    const shown = JSON.parse(tidemark(['status', '--json', ...store]).stdout);
    assert.deepEqual([shown.bars, shown.lastDay, shown.loads.length], [3, '2024-01-02', 2]);
    const verified = JSON.parse(tidemark(['verify', '--json', ...store]).stdout);
    assert.deepEqual([verified.rows, verified.differences], [2, []]);
  });

  it('fail when nothing was loaded, and say why', () => {
    for (const [args, input, message] of [
      [['csv', '-'], '', /the file is empty/],
      [['csv', '-'], 'symbol,day,close\nA,2024-01-01,x\n', /nothing was loaded: all that was read was refused \(1\)/],
      [['csv', '-', '--close-column', 'adjusted'], 'symbol,day,close\nA,2024-01-01,1\n', /no column adjusted/],
      [['csv', '-'], 'PK\x03\x04', /xlsx/],
      [['csv', '-'], 'A,2024-01-01,1\n', /--no-header/],
      [['profiles', '-'], 'symbol,day,close\nA,2024-01-01,1\n', /ingest csv/],
      [['profiles', '-'], '[]', /nothing was loaded: the source has no records/],
      [['profiles', '-'], '[{"id":"bitcoin","symbol":"btc","name":"Bitcoin"}]', /of CoinGecko, not a profile/],
    ] as const) {
      const { status, stderr } = tidemark(['ingest', ...args, '--store', 'sqlite:nothing.db'], input);
      assert.equal(status, 1, args.join(' '));
      assert.match(stderr, message);
    }
    const { loads } = JSON.parse(tidemark(['status', '--json', '--store', 'sqlite:nothing.db']).stdout);
    assert.deepEqual(new Set(loads.map((load: { state: string }) => load.state)), new Set(['failed']));
  });

  it('make no store when the command is wrong', () => {
    closes('btc.csv', 'day,close\n2024-01-01,1\n');
    closes('eth.csv', 'day,close\n2024-01-01,1\n');
    for (const args of [
      ['csv', 'nowhere.csv'],
      ['csv', 'btc.csv', 'eth.csv', '--symbol', 'BTC'],
      ['csv', 'btc.csv', '--symbol', 'BTC', '--date-format', 'x'],
      ['profiles', 'nowhere.json'],
      ['ccxt', '--exchange', 'krakn', '--quote', 'USD'],
      ['cvs', 'btc.csv'],
    ]) {
      assert.notEqual(tidemark(['ingest', ...args, '--store', 'sqlite:mistyped.db']).status, 0);
      assert.equal(existsSync(join(folder, 'mistyped.db')), false, args.join(' '));
    }
  });

  it('load a folder with one file per asset, and warn of what looks wrong', () => {
    const own = ['--store', 'sqlite:folder.db'];
    const files = ['btc.csv', 'eth.csv', '--symbol-from-name'];
    const { status, stdout } = tidemark(['ingest', 'csv', ...files, '--json', ...own]);
    assert.deepEqual([status, JSON.parse(stdout).inserted], [0, 2]);
    const pair = tidemark(['ingest', 'csv', '-', ...own], 'symbol,day,close\nBTCUSDT,2024-01-02,3\n');
    assert.match(pair.stderr, /^warning read as prices in dollars: BTCUSDT as BTC\..*--no-pairs/);
    assert.equal(pair.status, 0);
  });

  it('fail with --strict when anything was refused, yet load the rest', () => {
    const input = 'symbol,day,close\nDDD,2024-01-02,3\nDDD,2024-13-02,3\n';
    assert.equal(tidemark(['ingest', 'csv', '-', '--strict', ...store], input).status, 1);
    assert.equal(JSON.parse(tidemark(['status', '--json', ...store]).stdout).bars, 4);
  });
});
