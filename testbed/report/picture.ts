import { classOf, type Outcome } from '../../server/model/outcome.ts';
import type { DeliveryPolicy } from '../../server/model/policy.ts';
import type { Rehearsal } from '../outages/rehearse.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';

/** One attempt on its lane. Times are milliseconds since the run began. */
export interface Mark {
  readonly at: number;
  readonly ms: number;
  readonly outcome: Outcome;
}

/** One event on its way to one webhook: from its acceptance to its end, with every attempt. */
export interface Track {
  readonly messageId: string;
  readonly state: StoredDelivery['state'];
  readonly from: number;
  /** When it ended; the end of the run when it has not. */
  readonly to: number;
  readonly marks: readonly Mark[];
}

export interface Lane {
  readonly webhook: string;
  readonly tracks: readonly Track[];
  readonly parked: readonly Span[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a rehearsal looks like, whatever draws it. */
export interface Picture {
  readonly title: string;
  readonly story: string;
  readonly expects: string;
  /** What the policy is called, where two are compared. */
  readonly label: string;
  readonly policy: DeliveryPolicy;
  readonly seed: number;
  readonly durationMs: number;
  readonly outage: Span;
  readonly lanes: readonly Lane[];
  /** All events, whatever webhook they went to. */
  readonly events: readonly Track[];
}

export function pictureOf(rehearsal: Rehearsal, label = 'policy in production'): Picture {
  const { simulation, outage, span, endsAt, seed } = rehearsal;
  const { startedAt, policy } = simulation;
  const durationMs = endsAt - startedAt;
  const whole = (webhook?: string) => (delivery: StoredDelivery) => trackOf(delivery, startedAt, durationMs, webhook);
  const byWebhook = Map.groupBy(simulation.posts, ({ request }) => request.url);
  const lanes = [...byWebhook.keys()].toSorted().map((webhook): Lane => {
    const destination = simulation.deliveries.find(({ attempts }) =>
      attempts.some((each) => each.webhook === webhook),
    )?.destination;
    // Those too that were never tried: behind a parked destination they wait for their turn.
    const own = simulation.deliveries.filter((delivery) => delivery.destination === destination);
    const parked = simulation.parkings
      .filter((parking) => parking.destination === destination)
      .map(({ from, to }) => ({ from: from - startedAt, to: Math.min((to ?? endsAt) - startedAt, durationMs) }));
    return { webhook, tracks: own.map(whole(webhook)), parked };
  });
  return {
    title: outage.name,
    story: outage.story,
    expects: outage.expects,
    label,
    policy,
    seed,
    durationMs,
    outage: { from: span.from - startedAt, to: Math.min(span.to - startedAt, durationMs) },
    lanes,
    events: simulation.deliveries.map(whole()),
  };
}

function trackOf(delivery: StoredDelivery, startedAt: number, durationMs: number, webhook?: string): Track {
  const attempts = delivery.attempts.filter((attempt) => webhook === undefined || attempt.webhook === webhook);
  const marks = attempts.map(({ startedAt: at, durationMs: ms, outcome }) => ({ at: at - startedAt, ms, outcome }));
  const { state, message } = delivery;
  const isOpen = state === 'pending' || state === 'trying';
  return {
    messageId: message.event.messageId,
    state,
    from: message.receivedAt - startedAt,
    to: isOpen ? durationMs : endOf(delivery) - startedAt,
    marks,
  };
}

/** The first success, or else the end of the last attempt. */
function endOf({ attempts, message }: StoredDelivery): number {
  const successes = attempts.filter(({ outcome }) => classOf(outcome) === 'success');
  if (successes.length > 0) return Math.min(...endsOf(successes));
  return Math.max(message.receivedAt, ...endsOf(attempts));
}

function endsOf(attempts: StoredDelivery['attempts']): readonly number[] {
  return attempts.map(({ startedAt, durationMs }) => startedAt + durationMs);
}
