import { type Attempt, deliveryId, type RoundRecord } from '../../../model/delivery.ts';

/**
 * Rounds as they cross to the thread: one JSON text of lists. To copy what they consist of as objects takes three times as long
 * on both sides, for each event that is delivered.
 */
export function roundsText(rounds: readonly RoundRecord[]): string {
  return JSON.stringify(rounds.map(roundFields));
}

export function roundsIn(text: string): RoundRecord[] {
  const rounds: RoundFields[] = JSON.parse(text);
  return rounds.map(roundOf);
}

function roundFields(reported: RoundRecord) {
  const { delivery, node, epoch, round, destination, verdict, endedAt, ageMs, line = null, attempts } = reported;
  return [
    delivery,
    node,
    epoch,
    round,
    destination,
    verdict,
    endedAt,
    ageMs,
    line,
    attempts.map(attemptFields),
  ] as const;
}

type RoundFields = ReturnType<typeof roundFields>;

function roundOf([
  delivery,
  node,
  epoch,
  round,
  destination,
  verdict,
  endedAt,
  ageMs,
  line,
  attempts,
]: RoundFields): RoundRecord {
  const fence = { delivery: deliveryId(delivery), node, epoch, round };
  const inLine = line === null ? {} : { line };
  return { ...fence, destination, verdict, endedAt, ageMs, attempts: attempts.map(attemptOf), ...inLine };
}

function attemptFields(attempt: Attempt) {
  const { webhook, number, startedAt, durationMs, phases = null, outcome, status = null, excerpt, rule } = attempt;
  return [webhook, number, startedAt, durationMs, phases, outcome, status, excerpt, rule] as const;
}

type AttemptFields = ReturnType<typeof attemptFields>;

function attemptOf([
  webhook,
  number,
  startedAt,
  durationMs,
  phases,
  outcome,
  status,
  excerpt,
  rule,
]: AttemptFields): Attempt {
  const answered = status === null ? {} : { status };
  const timed = phases === null ? {} : { phases };
  return { webhook, number, startedAt, durationMs, ...timed, outcome, ...answered, excerpt, rule };
}
