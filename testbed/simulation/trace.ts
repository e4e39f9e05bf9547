import type { Simulation } from './simulate.ts';

/** A run as text, a line for each attempt and one for each end: equal runs give equal bytes. */
export function traceOf({ deliveries, startedAt }: Simulation): string {
  const lines = deliveries.flatMap(({ id, destination, message, state, round, attempts }) => [
    ...attempts.map(({ startedAt: at, webhook, outcome, durationMs }) => ({
      at: at - startedAt,
      text: `${id} ${webhook} ${outcome} ${durationMs}`,
    })),
    {
      at: message.receivedAt - startedAt,
      text: `${id} ${message.event.messageId} ${destination} ended ${state} after ${round}`,
    },
  ]);
  const sorted = lines.toSorted((a, b) => a.at - b.at || compare(a.text, b.text));
  return sorted.map(({ at, text }) => `${at} ${text}`).join('\n');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
