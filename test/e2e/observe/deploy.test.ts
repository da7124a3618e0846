// The dashboard and the alerts name only metrics and labels that exist.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { METRICS, type MetricFacts } from '../../../src/observe/metric-table.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const TABLE: Readonly<Record<string, MetricFacts>> = METRICS;
/** Prometheus adds these to all. */
const TARGET_LABELS = ['instance', 'job', 'le'];

/** Fails for a figure or a label that does not exist; returns the names of the metrics. */
function check(expression: string): string[] {
  let depth = 0;
  for (const character of expression.replace(/"[^"]*"/g, '""')) {
    if ('({['.includes(character)) depth++;
    if (')}]'.includes(character)) depth--;
    assert.ok(depth >= 0, expression);
  }
  assert.equal(depth, 0, `${expression} closes what it opens`);
  const named = [...expression.matchAll(/\b((?:tidemark|process)_\w+)(?:\{([^}]*)\})?/g)];
  const names = named.map(([, name = '', matchers = '']) => {
    const metric = name in TABLE ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    const facts = TABLE[metric];
    assert.ok(facts !== undefined && (metric === name || facts.type === 'histogram'), `${name} exists`);
    if (facts.type === 'counter') assert.match(expression, /\b(?:rate|increase)\(/, `${name} is a counter`);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) {
      assert.ok([...facts.labels, ...TARGET_LABELS].includes(label), `${name} has the label ${label}`);
    }
    return metric;
  });
  const labels = names.flatMap(name => TABLE[name]?.labels ?? []);
  for (const [, list = ''] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list.split(/,\s*/)) assert.ok([...labels, ...TARGET_LABELS].includes(label), `by (${label})`);
  }
  return names;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

describe('the dashboard', () => {
  const dashboard = JSON.parse(read('grafana/tidemark.json'));
  const panels: readonly Panel[] = dashboard.panels;
  const shown = panels.filter(panel => panel.type !== 'row');

  for (const { title, targets = [] } of shown) {
    it(`${title}: asks for what exists`, () => {
      assert.ok(targets.length > 0);
      for (const { expr } of targets) assert.ok(check(expr).length > 0, expr);
    });
  }

  it('shows every figure that there is', () => {
    const used = new Set(shown.flatMap(panel => (panel.targets ?? []).flatMap(target => check(target.expr))));
    assert.deepEqual([...used].sort(), Object.keys(METRICS).sort());
  });

  it('can be imported: a title, an id, a choice of the data source, panels that do not overlap', () => {
    assert.equal(dashboard.title, 'Tidemark');
    assert.equal(dashboard.uid, 'tidemark');
    assert.equal(dashboard.templating.list[0].type, 'datasource');
    assert.equal(new Set(panels.map(panel => panel.id)).size, panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      assert.ok(x + w <= 24);
      return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`);
    });
    assert.equal(new Set(cells).size, cells.length);
  });
});

describe('the alerts', () => {
  const text = read('alerts.yml');
  const rules = text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map(rule => {
      const [, line, block] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)$)/m.exec(rule) ?? [];
      return { name: /^\w+/.exec(rule)?.[0] ?? '', rule, expression: (line ?? block ?? '').trim() };
    });

  it('are of the form that Prometheus reads', () => {
    assert.ok(rules.length >= 4);
    assert.ok(!text.includes('\t'));
    assert.equal(new Set(rules.map(rule => rule.name)).size, rules.length);
    assert.match(read('prometheus.yml'), /^rule_files:\n {2}- alerts\.yml$/m);
  });

  for (const { name, rule, expression } of rules) {
    it(`${name}: asks for what exists, and says what to do`, () => {
      assert.ok(check(expression).length > 0 || /^up\{/.test(expression), expression);
      assert.match(rule, /^ {10}severity: (?:critical|warning)$/m);
      assert.match(rule, /^ {10}summary: .{10,}$/m);
      assert.match(rule, /^ {10}action: .{10,}$/m);
    });
  }
});
