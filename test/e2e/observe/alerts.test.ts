// The alerts fire when they should, and only then, by the tool that Prometheus brings for it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { requireProgram } from '../../support/debian-program.ts';

const PROMTOOL = { title: 'promtool', names: ['promtool'], package: 'prometheus', variable: 'PROMTOOL' };
const root = join(import.meta.dirname, '../../..');
it('Prometheus fires each alert for what it tells of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-alerts-'));
  try {
    // The cases name the rules by a path beside them.
    copyFileSync(join(root, 'deploy/alerts.yml'), join(folder, 'alerts.yml'));
    copyFileSync(join(root, 'test/e2e/observe/alert-cases.yml'), join(folder, 'cases.yml'));
    const { status, stdout, stderr } = spawnSync(requireProgram(PROMTOOL), ['test', 'rules', 'cases.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
