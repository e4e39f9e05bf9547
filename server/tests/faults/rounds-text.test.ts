import { expect, test } from 'vitest';
import { type Attempt, deliveryId, type RoundRecord } from '../../model/delivery.ts';
import { roundsIn, roundsText } from '../../storage/file/deliveries/rounds-text.ts';

/** With each field that there is: one that is new has to be named here, and fails where it does not cross. */
const ATTEMPT: Required<Attempt> = {
  webhook: 'https://a.example/',
  number: 1,
  startedAt: 2,
  durationMs: 3.5,
  phases: { connectMs: 4, sendMs: 5, waitMs: 6, readMs: 7 },
  outcome: 'delivered',
  status: 204,
  excerpt: '"\u0000\ud800é',
  rule: 'success',
};
const ROUND: Required<RoundRecord> = {
  delivery: deliveryId('9007199254740993'),
  node: 'local',
  epoch: 8,
  round: 9,
  destination: 'workspaces/w/sources/s/destinations/d',
  attempts: [ATTEMPT],
  verdict: { state: 'pending', dueAt: 10, setAt: 11, closed: ['b'], tries: 12 },
  endedAt: 13,
  ageMs: 14,
  line: 15,
};

test('D-31: of a round, all that is reported reaches the thread that stores it', () => {
  const { webhook, number, startedAt, durationMs, outcome, excerpt, rule } = ATTEMPT;
  const least = { webhook, number, startedAt, durationMs, outcome, excerpt, rule };
  const { line: _, ...outOfLine } = ROUND;
  const rounds: RoundRecord[] = [
    ROUND,
    { ...outOfLine, attempts: [ATTEMPT, least], verdict: { state: 'delivered' } },
    { ...outOfLine, attempts: [] },
  ];
  expect(roundsIn(roundsText(rounds))).toStrictEqual(rounds);
});
