// Bar charts for the docs: one SVG, readable on light and dark pages, with nothing loaded from elsewhere.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const images = join(import.meta.dirname, '../docs/images');

/** Writes `docs/images/NAME.svg` and returns the Markdown that shows it on docs/benchmarks.md. */
export function writePlot(name: string, chart: BarChart): string {
  mkdirSync(images, { recursive: true });
  writeFileSync(join(images, `${name}.svg`), barChart(chart));
  return `![${chart.title}: ${chart.subtitle}](images/${name}.svg)`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** What stands at its end; the value where none is given. */
  readonly text?: string;
}

export interface BarChart {
  readonly title: string;
  /** Under the title: what the lengths mean. */
  readonly subtitle: string;
  readonly bars: readonly Bar[];
  /** Lengths by the logarithm of the value; bars then begin at 1. */
  readonly logarithmic?: boolean;
  /** A value to draw a line at. */
  readonly mark?: { readonly value: number; readonly text: string };
}

const WIDTH = 860;
const [LABELS, VALUES, TOP, STEP, THICKNESS] = [300, 80, 70, 18, 12];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 16px; font-weight: 600 }
  .quiet { fill: #57606a }
  .bar { fill: #0969da }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .mark { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .bar { fill: #4493f8 }
    .grid { stroke: #3d444d }
    .mark { stroke: #f85149 }
  }`;

export function barChart({ title, subtitle, bars, logarithmic = false, mark }: BarChart): string {
  const height = TOP + bars.length * STEP + 30;
  const most = Math.max(...bars.map(bar => bar.value), mark?.value ?? 0);
  const length = scale(most, logarithmic);
  const lines = ticks(most, logarithmic).map(value => {
    const x = LABELS + length(value);
    return `<line class="grid" x1="${x}" y1="${TOP - 6}" x2="${x}" y2="${height - 24}"/>
<text class="quiet" x="${x}" y="${height - 8}" text-anchor="middle">${value.toLocaleString('en')}</text>`;
  });
  const drawn = bars.map(({ label, value, text }, i) => {
    const y = TOP + i * STEP;
    const width = Math.max(1, length(value));
    return `<text x="${LABELS - 8}" y="${y + 10}" text-anchor="end">${escaped(label)}</text>
<rect class="bar" x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="${THICKNESS}" rx="2"/>
<text class="quiet" x="${(LABELS + width + 6).toFixed(1)}" y="${y + 10}">${escaped(text ?? String(value))}</text>`;
  });
  const marked = mark ? markLine(LABELS + length(mark.value), height, mark.text) : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<text class="title" x="8" y="22">${escaped(title)}</text>
<text class="quiet" x="8" y="42">${escaped(subtitle)}</text>
${lines.join('\n')}
${drawn.join('\n')}
${marked}
</svg>
`;
}

function scale(most: number, logarithmic: boolean): (value: number) => number {
  const room = WIDTH - LABELS - VALUES;
  if (!logarithmic) return value => (room * value) / most;
  return value => (room * Math.log10(Math.max(value, 1))) / Math.log10(Math.max(most, 10));
}

function ticks(most: number, logarithmic: boolean): number[] {
  if (logarithmic) return Array.from({ length: Math.floor(Math.log10(Math.max(most, 10))) + 1 }, (_, i) => 10 ** i);
  const step = 10 ** Math.floor(Math.log10(most));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

function markLine(x: number, height: number, text: string): string {
  return `<line class="mark" x1="${x}" y1="${TOP - 6}" x2="${x}" y2="${height - 24}"/>
<text class="quiet" x="${x + 4}" y="${TOP - 10}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
