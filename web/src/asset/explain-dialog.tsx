// How one number was computed: formula, steps, exact value, and where each close came from.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Explanation } from '../../../client/src/index.ts';
import { groupPath, queryString, tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { inPeriods, intervalParam, isFine, type ListedInterval, listedInterval, shownInterval } from '../interval.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { ScrollingTable } from '../shell/scrolling-table.tsx';
import { formatMoment, formatPeriod, zoneName } from '../time-form.ts';
import { useRequest } from '../use-request.ts';
import { explained, type OpenExplanation } from './explained.tsx';
import './explain.css';

interface ExplainDialogProps extends OpenExplanation {
  readonly columns: readonly ColumnFacts[];
  /** Of the asset. */
  readonly name: string;
}

export function ExplainDialog({ asset, column, at, opening, columns, name }: ExplainDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const facts = columns.find(each => each.name === column);
  const interval = listedInterval(shownInterval.value);
  useEffect(() => dialog.current?.showModal(), []);
  const query = { as_of: at ?? undefined, interval: intervalParam(interval), quote: quoteParam() };
  const { value, failure, retry } = useRequest(`${asset} ${column} ${at} ${interval} ${shownQuote.value}`, signal =>
    tidemark.explain(asset, column, query, { signal }),
  );
  const when = value === null ? null : periodText(value, interval);
  return (
    <dialog
      ref={dialog}
      class="explanation"
      aria-labelledby="explanation-title"
      onClose={() => {
        // The event comes a moment after the dialog has closed: another one may be open by then.
        if (explained.peek()?.opening === opening) explained.value = null;
      }}
      closedby="any"
    >
      <div class="explanation-body">
        <header>
          <h2 id="explanation-title">
            {columnLabel(column)} of {name}{' '}
            <span class="note">
              {isFine(interval) ? 'at' : 'on'} {when ?? (isFine(interval) ? null : at) ?? '…'}
            </span>
          </h2>
          <button type="button" class="quiet icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            ✕
          </button>
        </header>
        {facts !== undefined && <p>{facts.description}.</p>}
        <p class="formula">
          <code>
            {column} = {value?.formula ?? facts?.formula ?? '…'}
          </code>
        </p>
        {failure !== null && <ProblemNotice failure={failure} onRetry={retry} />}
        {value === null && failure === null && <Loading what="the explanation" />}
        {value !== null && <Steps explanation={value} interval={interval} />}
        <p class="note">
          <code>
            GET {groupPath(`explain/${asset}/${column}`)}
            {decodeURIComponent(queryString(query))}
          </code>
        </p>
      </div>
    </dialog>
  );
}

/** Inputs that are listed without being asked for: those with the greatest influence, the greatest first. */
const FEW = 12;

/** Of equals, the latest first. */
function mostInfluential(inputs: Explanation['inputs']): Explanation['inputs'] {
  return [...inputs].sort((a, b) => (b.influence ?? -1) - (a.influence ?? -1)).slice(0, FEW);
}

interface OfInterval {
  readonly interval: ListedInterval;
}

function Steps({ explanation, interval }: { readonly explanation: Explanation } & OfInterval) {
  const { value, unit, exact, relative_error: error, steps, inputs } = explanation;
  return (
    <>
      <dl class="facts">
        <Fact label="Value">
          <strong class="number">{value === null ? 'null' : String(value)}</strong> {unit}
        </Fact>
        {steps.map(step => (
          <Fact key={step.name} label={step.name}>
            <span class="number">{step.value}</span>
          </Fact>
        ))}
        {exact !== null && (
          <Fact label="Exact, 40 digits">
            <span class="number">{exact}</span>
          </Fact>
        )}
        {error !== null && <Fact label="Relative error">{error === 0 ? '0: the value is exact' : String(error)}</Fact>}
      </dl>
      {inputs.length > 0 && <Inputs inputs={inputs} interval={interval} />}
    </>
  );
}

function Inputs({ inputs, interval }: Pick<Explanation, 'inputs'> & OfInterval) {
  const [all, setAll] = useState(false);
  const listed = all || inputs.length <= FEW ? inputs : mostInfluential(inputs);
  const others = Object.keys(inputs[0]!.numbers) as (keyof Explanation['inputs'][number]['numbers'])[];
  return (
    <>
      <h3>{inputs.length === 1 ? 'The close' : `The ${inputs.length} closes`} that it is computed from</h3>
      <ScrollingTable class="inputs" label="Closes">
        <thead>
          <tr>
            <th scope="col">Input</th>
            <th scope="col">{isFine(interval) ? `Time, ${zoneName(Date.now())}` : 'Day'}</th>
            <th scope="col">Close, {shownQuote.value}</th>
            {others.map(name => (
              <th key={name} scope="col">
                {columnLabel(name)}
              </th>
            ))}
            <th
              scope="col"
              title={inPeriods(
                'By how much the value would change if the day had the numbers of a day beside it',
                interval,
              )}
            >
              Influence
            </th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {listed.map(input => (
            <tr key={input.name}>
              <th scope="row">{input.name}</th>
              <td>{periodText(input, interval)}</td>
              <td class="number">{String(input.close)}</td>
              {others.map(name => (
                <td key={name} class="number">
                  {String(input.numbers[name] ?? 'unknown')}
                </td>
              ))}
              <td class="number">{input.influence === null ? '–' : String(Number(input.influence.toPrecision(4)))}</td>
              <td>{originOf(input, interval)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
      {listed.length < inputs.length && (
        <p>
          <span class="note">
            The {FEW} {inPeriods('days', interval)} with the greatest influence.
          </span>{' '}
          <button type="button" onClick={() => setAll(true)}>
            Show all {inputs.length} closes
          </button>
        </p>
      )}
    </>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Of a period: its day, or its time where periods are shorter. */
function periodText(
  { day, at }: { readonly day: string; readonly at?: string | undefined },
  interval: ListedInterval,
): string {
  return at === undefined ? day : formatPeriod(Date.parse(at), interval);
}

/** `demo, load 1, 2026-11-17 03:48 UTC`. */
function originOf(input: Explanation['inputs'][number], interval: ListedInterval): string {
  const time = (text: string) => `${formatMoment(Date.parse(text))} ${zoneName(Date.parse(text))}`;
  const parts = [
    input.source ?? 'unknown',
    input.load !== null && `load ${input.load}`,
    input.loaded_at !== null && time(input.loaded_at),
    input.carried_forward &&
      `carried forward from ${periodText({ day: input.delivered_day, at: input.delivered_at }, interval)}`,
    input.replaced_at !== null && `replaced ${time(input.replaced_at)}`,
  ];
  return parts.filter(part => part !== false).join(', ');
}
