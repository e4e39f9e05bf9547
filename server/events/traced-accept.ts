import type { ArrivalTrace, Tracing } from '../ports/tracing.ts';
import { StaleRouting } from '../storage/errors.ts';
import type { Accept } from './accept.ts';
import type { Routed } from './route.ts';
import { errorOf } from '../thrown.ts';

/** Accepts events with the trace of each that is sampled: it is stored in its event, and so survives what the event survives. */
export function tracedAccept(accept: Accept, tracing: Tracing): Accept {
  return async (routed, by, parent) => {
    const traces = routed.map(({ source, event }) => tracing.arrival(source, event, parent));
    try {
      const isNew = await accept(withTraces(routed, traces), by);
      for (const [index, trace] of traces.entries()) trace?.end(isNew[index] === true ? 'stored' : 'duplicate');
      return isNew;
    } catch (error) {
      // What was routed by an older configuration comes once more, and is traced then.
      if (!(error instanceof StaleRouting)) for (const trace of traces) trace?.end(errorOf(error));
      throw error;
    }
  };
}

function withTraces(routed: readonly Routed[], traces: readonly (ArrivalTrace | undefined)[]): readonly Routed[] {
  if (traces.every((trace) => trace === undefined)) return routed;
  return routed.map((one, index) => {
    const trace = traces[index];
    return trace === undefined ? one : { ...one, event: { ...one.event, traceparent: trace.traceparent } };
  });
}
