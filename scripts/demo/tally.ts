import { breachOf } from '../../testbed/contract/sent-bodies.ts';
import type { Received } from '../../testbed/index.ts';
import { answerText } from '../../testbed/command-line/turn-text.ts';
import { textOf } from '../../testbed/index.ts';

export interface Tally {
  readonly sent: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly verified: number;
  readonly retried: number;
  readonly lost: number;
  /** Requests whose body breaks the contract. */
  readonly broken: number;
}

/** What became of the events, as the receivers saw it. */
export function tally(sent: readonly string[], accepted: readonly string[], requests: readonly Received[]): Tally {
  const delivered = idsOf(requests.filter((request) => answerText(request.turn) === '200'));
  const verified = idsOf(
    requests.filter((request) => request.signature.verdict === 'valid' && delivered.has(idOf(request))),
  );
  const refused = idsOf(requests.filter((request) => answerText(request.turn) === '503'));
  return {
    sent: sent.length,
    accepted: accepted.length,
    delivered: delivered.size,
    verified: verified.size,
    retried: [...refused].filter((id) => delivered.has(id)).length,
    lost: accepted.filter((id) => !delivered.has(id)).length,
    broken: requests.filter(({ body }) => breachOf(body) !== undefined).length,
  };
}

/** What the tally shows to be wrong; empty when the demo shows what it is there to show. */
export function faultsOf(result: Tally): string[] {
  const { sent, accepted, delivered, verified, retried, lost, broken } = result;
  return [
    ...(sent === 12 ? [] : [`${sent} of 12 calls were sent`]),
    ...(accepted === sent ? [] : [`${sent - accepted} calls were not accepted`]),
    ...(lost === 0 ? [] : [`${lost} accepted events did not arrive`]),
    ...(broken === 0 ? [] : [`${broken} requests had a body that breaks the contract`]),
    ...(verified === delivered ? [] : [`${delivered - verified} deliveries had no valid signature`]),
    ...(retried === 2 ? [] : [`${retried} events were delivered after a refusal, instead of 2`]),
  ];
}

function idsOf(requests: readonly Received[]): Set<string> {
  return new Set(requests.map(idOf));
}

function idOf(request: Received): string {
  return textOf(request, 'messageId') ?? '';
}
