// The metrics of all threads, as text.

import { TOOL_NAMES } from '../domain/tool-names.ts';
import { CELL_NAMES, CELLS } from './cells.ts';
import type { LabelsOf, MetricName } from './metric-table.ts';
import type { MetricText } from './metric-text.ts';
import { BUCKETS, CODES, MAIN_AREA, METHODS, type SharedMetrics, STATUSES, TOOL_OUTCOMES } from './shared-metrics.ts';

export function writeSharedMetrics(text: MetricText, metrics: SharedMetrics): void {
  for (const [number, route] of metrics.routes.entries()) writeRoute(text, metrics, route, number);
  for (const [number, code] of CODES.entries()) {
    const count = metrics.problems(number);
    if (count > 0) text.add('tidemark_http_problems_total', { code }, count);
  }
  for (const [number, tool] of TOOL_NAMES.entries()) {
    for (const [at, outcome] of TOOL_OUTCOMES.entries()) {
      text.add('tidemark_tool_calls_total', { tool, outcome }, metrics.toolCalls(number, at));
    }
  }
  for (const name of CELL_NAMES) {
    const { metric, labels = {}, perThread } = CELLS[name];
    // A cell has the labels of its metric, except for the thread: a test reads all of them back.
    const add = (all: Readonly<Record<string, string>>, value: number) =>
      text.add(metric, all as LabelsOf<MetricName>, value);
    if (perThread === undefined) add(labels, metrics.cellSum(name));
    else {
      for (let area = 0; area < metrics.areas; area++) {
        const thread = area === MAIN_AREA ? 'main' : String(area);
        add({ thread, ...labels }, metrics.cell(name, area));
      }
    }
  }
}

/** Only what was asked for: most combinations never occur. */
function writeRoute(text: MetricText, metrics: SharedMetrics, route: string, number: number): void {
  let asked = false;
  for (const [way, method] of METHODS.entries()) {
    for (const [at, status] of STATUSES.entries()) {
      const count = metrics.requests(number, way, at);
      if (count === 0) continue;
      asked = true;
      text.add('tidemark_http_requests_total', { route, method, status: status === 0 ? 'other' : `${status}` }, count);
    }
  }
  if (!asked) return;
  const seconds = metrics.secondsSum(number);
  text.addHistogram('tidemark_http_request_duration_seconds', { route }, BUCKETS, metrics.durations(number), seconds);
  text.add('tidemark_http_sent_bytes_total', { route }, metrics.bytesSum(number));
}
