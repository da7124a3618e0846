// Draws docs/images/mcp-session.svg from a real session of the official client with the demo: `node scripts/mcp-session.ts`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startDemo } from '../test/support/demo-server.ts';

const FILE = join(import.meta.dirname, '../docs/images/mcp-session.svg');
/** Labels are at `LABEL`, texts at `LEFT`. */
const [WIDTH, LINE, LABEL, LEFT] = [1000, 18, 24, 104];
const COLOURS = { client: '#0b5cad', error: '#b3261e', answer: '#1f2328', quiet: '#59636e' } as const;

interface Line {
  /** Who or what it comes from; only on the first line of a text. */
  readonly label: string;
  readonly text: string;
  readonly colour: keyof typeof COLOURS;
}

const demo = await startDemo();
const client = new Client({ name: 'session', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(`${demo.url}/mcp`)));
const lines: Line[] = [];
const add = (label: string, colour: Line['colour'], text: string) => {
  for (const [i, each] of text.split('\n').entries()) {
    lines.push({ label: i === 0 ? label : '', colour, text: each.replace(demo.url, 'http://127.0.0.1:8080') });
  }
};
add('request', 'client', `tools/list, revision ${client.getNegotiatedProtocolVersion()}`);
add('result', 'answer', (await client.listTools()).tools.map(({ name }) => name).join('  '));
for (const [question, values] of [
  [
    'Which assets are in an uptrend but fell this week?',
    { where: 'price > sma_200 && change7 < 0', sort: 'change7', order: 'asc', limit: 8 },
  ],
  [
    '(The model sends the corrected call.)',
    { where: 'price > sma200 and change7 < 0', sort: 'change7', order: 'asc', limit: 8 },
  ],
] as const) {
  add('', 'quiet', '');
  add(question.startsWith('(') ? '' : 'user', 'quiet', question);
  add('call', 'client', `screen_assets ${JSON.stringify(values)}`);
  const { content, isError } = await client.callTool({ name: 'screen_assets', arguments: values });
  for (const part of content)
    if (part.type === 'text') add(isError ? 'error' : 'result', isError ? 'error' : 'answer', part.text);
}
await client.close();
await demo.close();

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const drawn = ({ label, text, colour }: Line, i: number) => {
  const at = (x: number, fill: string, words: string) =>
    `<text x="${x}" y="${LINE * (i + 2)}" fill="${fill}" xml:space="preserve">${escaped(clip(words))}</text>`;
  return (label === '' ? '' : at(LABEL, COLOURS.quiet, label)) + at(LEFT, COLOURS[colour], text);
};
const height = LINE * (lines.length + 3);
const clip = (text: string) => (text.length > 110 ? `${text.slice(0, 109)}…` : text);
writeFileSync(
  FILE,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">
<rect width="${WIDTH}" height="${height}" rx="8" fill="#f6f8fa"/>
${lines.map(drawn).join('\n')}
</svg>
`,
);
