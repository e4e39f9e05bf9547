import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';

/** A store as an object whose verbs can be replaced one by one, for stores that break their promises. */
export function verbsOf(own: DeliveryStorage): DeliveryStorage {
  return {
    accept: (acceptances) => own.accept(acceptances),
    claim: (request) => own.claim(request),
    record: (rounds) => own.record(rounds),
    release: (deliveries) => own.release(deliveries),
    recover: (now) => own.recover(now),
    backlog: () => own.backlog(),
    unfinished: () => own.unfinished(),
  };
}
