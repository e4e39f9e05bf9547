import type { Claim } from '../../model/delivery.ts';
import { BEHIND_MS, type Claimed, type ClaimRequest, PROBE_AMONG } from '../delivery-storage.ts';
import type { Life } from '../members.ts';
import { byAge, byDueTime, type Rows, type StoredDelivery } from './rows.ts';

export function claim(rows: Rows, holder: Life, request: ClaimRequest): Claimed {
  const { destination, limit, bytes } = request;
  const chosen = within(firstOfLines(rows, request).slice(0, limit), bytes);
  const claims = chosen.map((delivery) => take(rows, holder, delivery));
  const left = rows.pendingOf(destination);
  const [next, oldest] = [left.toSorted(byDueTime)[0], left.toSorted(byAge)[0]];
  return { claims, nextDueAt: next?.dueAt, oldestReceivedAt: oldest?.message.receivedAt };
}

export function take(rows: Rows, holder: Life, delivery: StoredDelivery): Claim {
  const { id, destination, message, bytes, tries, earlierRounds, closed, line } = delivery;
  const round = delivery.round + 1;
  rows.change(delivery, { state: 'trying', holder, round });
  const earlier = earlierRounds === 0 ? {} : { earlierRounds };
  const inLine = line === undefined ? {} : { line };
  return { delivery: id, ...holder, round, destination, message, bytes, tries, ...earlier, closed, ...inLine };
}

/** What is due behind another is not looked at again so soon. */
function firstOfLines(rows: Rows, request: ClaimRequest): StoredDelivery[] {
  const pending = rows.pendingOf(request.destination);
  if (request.which !== 'due') {
    return choose(
      pending.filter((row) => rows.isFirst(row)),
      request,
    );
  }
  const due = choose(pending, request).slice(0, request.limit);
  const first = due.filter((row) => rows.isFirst(row));
  for (const row of due) if (!first.includes(row)) rows.change(row, { dueAt: request.now + BEHIND_MS });
  return first;
}

function choose(pending: readonly StoredDelivery[], request: ClaimRequest): StoredDelivery[] {
  switch (request.which) {
    case 'due':
      return pending.filter((delivery) => delivery.dueAt <= request.now).toSorted(byDueTime);
    case 'received':
      return pending.filter((delivery) => delivery.message.receivedAt <= request.upTo).toSorted(byAge);
    case 'probe':
      return pending
        .toSorted(byAge)
        .slice(0, PROBE_AMONG)
        .toSorted((a, b) => a.round - b.round);
  }
}

/** The first of them, as many as so many bytes hold, and one in any case. */
function within(deliveries: readonly StoredDelivery[], bytes = Infinity): readonly StoredDelivery[] {
  let sum = 0;
  const end = deliveries.findIndex((delivery) => (sum += delivery.bytes) > bytes);
  return end < 0 ? deliveries : deliveries.slice(0, Math.max(1, end));
}
