// promtool: the alert rules, the cases in which each fires or does not, the configuration, and the metrics that a server exposes.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstall } from '../../test/support/debian-program.ts';
import { withDemo } from './demo.ts';
import type { Suite } from './suite.ts';

const PROGRAM = { title: 'promtool', names: ['promtool'], package: 'prometheus', variable: 'PROMTOOL' };
const root = join(import.meta.dirname, '../..');

export const promtool: Suite = {
  name: 'promtool',
  tests: 'the alert rules and the cases in which they fire, the configuration, `/metrics`',
  async run() {
    const program = findOrInstall(PROGRAM);
    if (program === null) return { missing: 'promtool is not on this machine, and apt-get cannot install prometheus' };
    const metrics = await withDemo(async url => (await fetch(`${url}/metrics`)).text());
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-promtool-'));
    const failed: string[] = [];
    let passed = 0;
    try {
      for (const [from, to] of [
        ['deploy/alerts.yml', 'alerts.yml'],
        ['deploy/prometheus.yml', 'prometheus.yml'],
        ['test/e2e/observe/alert-cases.yml', 'cases.yml'],
      ] as const) {
        copyFileSync(join(root, from), join(folder, to));
      }
      for (const args of [
        ['check', 'rules', 'alerts.yml'],
        ['test', 'rules', 'cases.yml'],
        ['check', 'config', 'prometheus.yml'],
        ['check', 'metrics'],
      ]) {
        const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', input: metrics });
        if (status === 0) passed++;
        else failed.push(`promtool ${args.join(' ')}: ${`${stdout}${stderr}`.trim().split('\n').at(-1)}`);
      }
      const { stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
      const version = /version (\S+)/.exec(stdout + stderr)?.[1] ?? '';
      return { tool: `promtool ${version}`, counted: 'commands', passed, failed, inapplicable: [] };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
