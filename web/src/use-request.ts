// A request that belongs to a component: sent when what it depends on changes, aborted when the component is removed.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureIn } from './failure.ts';
import { key } from './key.ts';
import { dataVersion } from './new-data.ts';

export interface Requested<Value> {
  readonly value: Value | null;
  readonly failure: Failure | null;
  readonly retry: () => void;
}

interface Settled<Value> {
  readonly value: Value | null;
  readonly failure: Failure | null;
}

const UNSETTLED = { value: null, failure: null };

/** `on` identifies the request; null sends none yet. Another `on`, another API key or new data sends it again. */
export function useRequest<Value>(on: string | null, ask: (signal: AbortSignal) => Promise<Value>): Requested<Value> {
  const [settled, setSettled] = useState<Settled<Value>>(UNSETTLED);
  const [attempt, setAttempt] = useState(0);
  const version = useRef(dataVersion.value);
  useEffect(() => {
    setSettled(UNSETTLED);
    if (on === null) return;
    const control = new AbortController();
    ask(control.signal).then(
      value => control.signal.aborted || setSettled({ value, failure: null }),
      error => control.signal.aborted || setSettled({ value: null, failure: failureIn(error) }),
    );
    return () => control.abort();
  }, [on, attempt, key.value]);
  useEffect(() => {
    if (version.current === dataVersion.value || on === null) return;
    version.current = dataVersion.value;
    const control = new AbortController();
    // What is shown stays until the new value is there, and stays for good where that fails.
    ask(control.signal).then(value => control.signal.aborted || setSettled({ value, failure: null }), failureIn);
    return () => control.abort();
  }, [dataVersion.value]);
  return { ...settled, retry: () => setAttempt(attempt + 1) };
}
