import { type DeliveryId, deliveryId } from '../../model/delivery.ts';
import type { QueueEffect } from '../../delivery/queue-events.ts';
import { lastTryAt, longestWait } from '../../delivery/schedule.ts';
import type { DeliveryPolicy } from '../../model/policy.ts';

export type RefillRequest = Extract<QueueEffect, { type: 'refill' }>['request'];

export interface Delivery {
  readonly id: DeliveryId;
  readonly receivedAt: number;
  readonly bytes: number;
  dueAt: number;
  tries: number;
  state: 'stored' | 'claimed' | 'gone';
}

interface Found {
  readonly claims: readonly Delivery[];
  readonly dueAt: number | undefined;
  readonly oldestAt: number | undefined;
}

/** What a storage does for one destination. */
export class QueueStorage {
  readonly all: Delivery[] = [];

  get waiting(): Delivery[] {
    return this.all.filter(({ state }) => state === 'stored');
  }

  add(receivedAt: number, bytes: number): Delivery {
    const delivery: Delivery = {
      id: deliveryId(String(this.all.length)),
      receivedAt,
      bytes,
      dueAt: receivedAt,
      tries: 0,
      state: 'claimed',
    };
    this.all.push(delivery);
    return delivery;
  }

  claim(request: RefillRequest): Found {
    const order = request.which === 'due' ? 'dueAt' : 'receivedAt';
    const wanted = this.waiting.filter((one) => isWanted(one, request)).toSorted((a, b) => a[order] - b[order]);
    const claims = wanted.slice(0, request.limit);
    for (const claim of claims) claim.state = 'claimed';
    return { claims, dueAt: this.earliest('dueAt'), oldestAt: this.earliest('receivedAt') };
  }

  /** Stores when a delivery is tried again. */
  postpone(policy: DeliveryPolicy, delivery: Delivery, at: number): void {
    const due = Math.min(lastTryAt(policy, delivery.receivedAt), at + longestWait(policy, delivery.tries));
    Object.assign(delivery, { state: 'stored', dueAt: Math.max(at, due) });
  }

  /** Of those that wait; undefined when none does. */
  earliest(time: 'dueAt' | 'receivedAt'): number | undefined {
    const { waiting } = this;
    return waiting.length === 0 ? undefined : Math.min(...waiting.map((one) => one[time]));
  }
}

function isWanted({ dueAt, receivedAt }: Delivery, request: RefillRequest): boolean {
  switch (request.which) {
    case 'due':
      return dueAt <= request.now;
    case 'received':
      return receivedAt <= request.upTo;
    case 'probe':
      return true;
  }
}
