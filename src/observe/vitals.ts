// How a thread feels: how late its event loop runs, and how much memory it holds. Written down every ten seconds.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Figures } from './figures.ts';

export const WINDOW_MS = 10_000;
const RESOLUTION_MS = 20;

/** Returns how to stop it; it keeps no thread alive. */
export function watchVitals(figures: Figures): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // Node reports the time between two ticks of a timer, and so its period too.
  const late = (nanos: number) => Math.max(0, nanos / 1e9 - RESOLUTION_MS / 1000);
  const write = () => {
    figures.set('delayMedian', late(delays.percentile(50)));
    figures.set('delayHigh', late(delays.percentile(99)));
    figures.set('delayMost', late(delays.max));
    delays.reset();
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    figures.set('heapUsed', heapUsed);
    figures.set('heapTotal', heapTotal);
    figures.set('external', external);
    figures.set('arrayBuffers', arrayBuffers);
  };
  write();
  const timer = setInterval(write, WINDOW_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
