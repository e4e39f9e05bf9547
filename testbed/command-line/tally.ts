import type { Received, ReceiverEvent } from '../receiver/received.ts';
import { answerText } from './turn-text.ts';

/** What came while the receiver ran. */
export interface Tally {
  readonly requests: number;
  readonly turnedAway: number;
  readonly unreadable: number;
  readonly signatures: { readonly [V in Received['signature']['verdict']]: number };
  /** By status, or by what was done instead of answering; in order of first appearance. */
  readonly answered: ReadonlyMap<string, number>;
}

export const EMPTY_TALLY: Tally = {
  requests: 0,
  turnedAway: 0,
  unreadable: 0,
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
    case 'left':
      return tally;
  }
}

/** All that was asked for holds: with a secret, every request carried its signature (D-53). */
export function holds({ signatures }: Tally): boolean {
  return signatures.invalid + signatures.missing === 0;
}

function countRequest(tally: Tally, { signature, turn }: Received): Tally {
  const { verdict } = signature;
  return {
    ...tally,
    requests: tally.requests + 1,
    signatures: { ...tally.signatures, [verdict]: tally.signatures[verdict] + 1 },
    answered: countAnswer(tally, answerText(turn)),
  };
}

function countAnswer({ answered }: Tally, answer: string): ReadonlyMap<string, number> {
  return new Map(answered).set(answer, (answered.get(answer) ?? 0) + 1);
}
