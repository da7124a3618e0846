// Line charts for the report, several below each other over one time axis: one SVG, readable on light and dark pages.

import type { Point } from './trend.ts';

export interface Line {
  readonly title: string;
  readonly points: readonly Point[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP] = [860, 90, 150, 20, 20, 26];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .quiet { fill: #57606a }
  .line { fill: none; stroke: #0969da; stroke-width: 1.5; stroke-linejoin: round }
  .grid { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .line { stroke: #4493f8 }
    .grid { stroke: #3d444d }
  }`;

/** Each line from 0 to its highest point. */
export function lineCharts(title: string, lines: readonly Line[]): string {
  const height = TOP + lines.length * (HEIGHT + GAP) + 20;
  const seconds = Math.max(1, ...lines.flatMap(({ points }) => points.map(point => point.seconds)));
  const x = (at: number) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / seconds;
  const charts = lines.map((line, i) => chart(line, TOP + i * (HEIGHT + GAP), x));
  const minutes = Math.ceil(seconds / 60);
  const step = Math.max(1, Math.round(minutes / 6));
  const ticks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, i) => i * step);
  const axis = ticks.map(
    tick => `<text class="quiet" x="${round(x(tick * 60))}" y="${height - 14}" text-anchor="middle">${tick} min</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 20} ${height}" role="img" aria-label="${title}">
<style>${STYLE}
</style>
${[...charts, ...axis].join('\n')}
</svg>
`;
}

function chart({ title, points }: Line, top: number, x: (seconds: number) => number): string {
  const most = Math.max(1, ...points.map(({ value }) => value)) * 1.1;
  const y = (value: number) => top + HEIGHT - (HEIGHT * value) / most;
  const path = points.map(({ seconds, value }) => `${round(x(seconds))},${round(y(value))}`).join(' ');
  const last = points.at(-1)?.value ?? 0;
  return `<text x="8" y="${top + 14}">${title}</text>
<text class="quiet" x="8" y="${top + 32}">${last.toFixed(last < 10 ? 1 : 0)} at the end</text>
<line class="grid" x1="${LEFT}" y1="${top + HEIGHT}" x2="${WIDTH - RIGHT}" y2="${top + HEIGHT}"/>
<polyline class="line" points="${path}"/>`;
}

function round(value: number): string {
  return value.toFixed(1);
}
