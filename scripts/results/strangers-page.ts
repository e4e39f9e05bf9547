import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface StrangersResult extends Origin {
  readonly requests: readonly RequestCost[];
  readonly senders: readonly HonestShare[];
}

/** The time of the processor that one request takes, and the most that it may. */
export interface RequestCost {
  readonly what: string;
  readonly ms: number;
  readonly mostMs: number;
}

export interface FloodsResult extends Origin {
  readonly connections: number;
  /** On each of the connections, in one piece. */
  readonly requests: number;
  readonly rows: readonly FloodCost[];
}

export interface FloodCost {
  readonly what: string;
  /** Requests that Node makes of what came before the router ends the connection; on average. */
  readonly processed: number;
  readonly mostProcessed: number;
  /** The peak of the router's memory, above the one before all floods. */
  readonly peakMb: number;
  readonly mostPeakMb: number;
}

/** What an honest sender keeps of its throughput beside stalled ones. */
export interface HonestShare {
  readonly what: string;
  readonly ratio: number;
  readonly leastRatio: number;
  readonly notAccepted: number;
}

export function strangersPage(): string {
  const result = readResult('strangers');
  const requests = result.requests.map(({ what, ms, mostMs }) => [what, `≤ ${mostMs}`, ms.toFixed(1)]);
  const floods = readResult('floods');
  const floodRows = floods.rows.map(({ what, processed, mostProcessed, peakMb, mostPeakMb }) => {
    return [what, `≤ ${mostProcessed}`, String(processed), `≤ ${mostPeakMb}`, String(peakMb)];
  });
  const senders = result.senders.map(({ what, ratio, leastRatio, notAccepted }) => {
    return [what, `≥ ${leastRatio.toFixed(2)}`, ratio.toFixed(2), String(notAccepted)];
  });
  return `# Hostile strangers

What somebody without a valid key or token can cost the router ([how that is bounded](../reliability.md#hostile-strangers)).

${originLine(result)}

## One request

${markdownTable(['request', 'at most, ms', 'processor, ms'], requests)}

## An honest sender beside 500 stalled ones from five addresses

${markdownTable(['sender', 'aim', 'throughput, against alone', 'not accepted'], senders)}

## ${floods.requests} requests in one piece on each of ${floods.connections} connections

${originLine(floods)}

${markdownTable(['requests', 'at most, per connection', 'processed, per connection', 'at most, MB', 'peak memory added so far, MB'], floodRows)}
`;
}
