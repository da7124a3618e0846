// Records the runtime metrics of one thread every ten seconds: event loop delay and memory.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SharedMetrics } from './shared-metrics.ts';

export const WINDOW_MS = 10_000;
const RESOLUTION_MS = 20;

/** Returns how to stop it; it keeps no thread alive. */
export function recordRuntimeMetrics(metrics: SharedMetrics): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // Node reports the time between two ticks of a timer, and so its period too.
  const late = (nanos: number) => Math.max(0, nanos / 1e9 - RESOLUTION_MS / 1000);
  const write = () => {
    metrics.set('delayMedian', late(delays.percentile(50)));
    metrics.set('delayHigh', late(delays.percentile(99)));
    metrics.set('delayMost', late(delays.max));
    delays.reset();
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    metrics.set('heapUsed', heapUsed);
    metrics.set('heapTotal', heapTotal);
    metrics.set('external', external);
    metrics.set('arrayBuffers', arrayBuffers);
  };
  write();
  const timer = setInterval(write, WINDOW_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
