// The report of the benchmark `peers`: Tidemark beside other programs that serve tables over HTTP.

import type { Measured } from '../http/wrk.ts';
import { writePlot } from '../plot.ts';
import { type Absent, OURS } from './contenders.ts';
import { PEER_QUESTIONS } from './questions.ts';

export interface ContenderResult {
  readonly name: string;
  /** All questions in turn. */
  readonly rotation: Measured;
  /** Each question alone, in their order. */
  readonly questions: readonly Measured[];
  readonly startSeconds: number;
  readonly residentBytes: number;
}

export interface SizeResult {
  readonly assets: number;
  /** Ours first. */
  readonly contenders: readonly ContenderResult[];
}

interface Loads {
  readonly connections: number;
  /** Seconds. */
  readonly rotation: number;
  readonly question: number;
  /** Of a question with few answers per second. */
  readonly slowQuestion: number;
}

const SMALLEST = 3;

const number = (value: number) => Math.round(value).toLocaleString('en');
const times = (value: number) => value.toFixed(value < 10 ? 1 : 0);

export function reportOf(sizes: readonly SizeResult[], absent: readonly Absent[], loads: Loads): string {
  const { connections, rotation, question, slowQuestion } = loads;
  return [
    `The same rows behind programs that serve tables over HTTP, asked the same ${PEER_QUESTIONS.length} questions by wrk over ${connections} connections on the same machine; the tickers of every response were compared first. Datasette has an index per column and opens its file as immutable; ROAPI holds the table in memory; both get SQL. Ours checks an API key and counts each request; “no response cache” is \`--cache 0\`, so that every page is found and rendered again. “All in turn” is ${rotation} s of the questions one after another; each question alone is ${question} s, or ${slowQuestion} s if a server gives few answers. The lead is the ratio of our answers per second to theirs, for each question alone.`,
    ...absent.map(({ name, reason }) => `${name} is not compared: ${reason}.`),
    plotOf(sizes),
    ...sizes.map(sizeSection),
  ].join('\n\n');
}

function sizeSection({ assets, contenders }: SizeResult): string {
  const [ours, uncached] = contenders;
  const rows = contenders.map(each => {
    const named = each.name === OURS ? `**${each.name}**` : each.name;
    const isOurs = each === ours || each === uncached;
    const leads = isOurs ? ['', ''] : [ours!, uncached!].map(own => times(geometricMean(leadsOver(own, each))));
    const { perSecond, p99 } = each.rotation;
    const cells = [named, number(perSecond), `${p99.toFixed(1)} ms`, ...leads];
    return `| ${[...cells, `${number(each.residentBytes / 1e6)} MB`, `${each.startSeconds.toFixed(2)} s`].join(' | ')} |`;
  });
  const peers = contenders.slice(2);
  return [
    `### ${number(assets)} assets`,
    '',
    '| server | all in turn, answers/s | p99 | our lead, geometric mean | without our cache | memory | start |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    ...peers.flatMap(peer => [
      `Without our cache, the lead over ${peer.name} is smallest for ${smallest(uncached!, peer)}.`,
      '',
    ]),
    ...questionTable(contenders),
  ].join('\n');
}

/** Our answers per second against theirs, per question. */
function leadsOver(own: ContenderResult, peer: ContenderResult): number[] {
  return own.questions.map(({ perSecond }, i) => perSecond / peer.questions[i]!.perSecond);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function smallest(own: ContenderResult, peer: ContenderResult): string {
  return leadsOver(own, peer)
    .map((lead, i) => ({ lead, about: PEER_QUESTIONS[i]!.about }))
    .sort((a, b) => a.lead - b.lead)
    .slice(0, SMALLEST)
    .map(({ lead, about }) => `${about} (${times(lead)})`)
    .join(', ');
}

function questionTable(contenders: readonly ContenderResult[]): string[] {
  return [
    `| answers/s, p99 | ${contenders.map(({ name }) => name).join(' | ')} |`,
    `|---|${'--:|'.repeat(contenders.length)}`,
    ...PEER_QUESTIONS.map(({ about }, i) => {
      const cells = contenders.map(({ questions }) => {
        const { perSecond, p99 } = questions[i]!;
        return `${number(perSecond)}, ${p99.toFixed(1)} ms`;
      });
      return `| ${about} | ${cells.join(' | ')} |`;
    }),
  ];
}

function plotOf(sizes: readonly SizeResult[]): string {
  return writePlot('peers', {
    title: 'Beside other servers of tables',
    subtitle: `answers per second, ${PEER_QUESTIONS.length} questions in turn, logarithmic`,
    logarithmic: true,
    bars: sizes.flatMap(({ assets, contenders }) =>
      contenders.map(({ name, rotation }) => ({
        label: `${number(assets)} assets: ${name}`,
        value: Math.round(rotation.perSecond),
        text: number(rotation.perSecond),
      })),
    ),
  });
}
