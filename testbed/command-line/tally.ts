import { applicationFor } from '../receiver/forwarding.ts';
import type { Forwarded, Received, ReceiverEvent } from '../receiver/received.ts';
import { answerText } from './turn-text.ts';

/** What came while the receiver ran. */
export interface Tally {
  readonly requests: number;
  readonly turnedAway: number;
  readonly unreadable: number;
  /** Requests that went on to an application, and those of them that it did not answer. */
  readonly forwarded: number;
  readonly unanswered: number;
  readonly signatures: { readonly [V in Received['signature']['verdict']]: number };
  /** By status, or by what was done instead of answering; in order of first appearance. */
  readonly answered: ReadonlyMap<string, number>;
}

export const EMPTY_TALLY: Tally = {
  requests: 0,
  turnedAway: 0,
  unreadable: 0,
  forwarded: 0,
  unanswered: 0,
  signatures: { valid: 0, invalid: 0, missing: 0, 'not expected': 0 },
  answered: new Map(),
};

export function count(tally: Tally, event: ReceiverEvent): Tally {
  switch (event.kind) {
    case 'received':
      return countRequest(tally, event.request);
    case 'turned-away':
      return { ...tally, turnedAway: tally.turnedAway + 1, answered: countAnswer(tally, answerText(event.turn)) };
    case 'unreadable':
      return { ...tally, unreadable: tally.unreadable + 1 };
    case 'forwarded':
      return countForwarded(tally, event.answer);
    case 'left':
    case 'scripted':
    case 'reset':
      return tally;
  }
}

/**
 * All that was asked for holds: with a secret, every request carried its signature, and every request that went on to
 * an application was answered (D-53).
 */
export function holds({ signatures, unanswered }: Tally): boolean {
  return signatures.invalid + signatures.missing + unanswered === 0;
}

function countRequest(tally: Tally, received: Received): Tally {
  const { verdict } = received.signature;
  return {
    ...tally,
    requests: tally.requests + 1,
    signatures: { ...tally.signatures, [verdict]: tally.signatures[verdict] + 1 },
    // What an application answers is counted when it has.
    ...(applicationFor(received) === undefined ? { answered: countAnswer(tally, answerText(received.turn)) } : {}),
  };
}

function countForwarded(tally: Tally, { status, failure }: Forwarded): Tally {
  return {
    ...tally,
    forwarded: tally.forwarded + 1,
    unanswered: tally.unanswered + (failure === undefined ? 0 : 1),
    answered: countAnswer(tally, String(status)),
  };
}

function countAnswer({ answered }: Tally, answer: string): ReadonlyMap<string, number> {
  return new Map(answered).set(answer, (answered.get(answer) ?? 0) + 1);
}
