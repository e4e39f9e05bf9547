import { AssertionError } from 'node:assert';
import { type DeliveryMatchers, deliveryMatchers, type Sent } from '../matchers/delivery-matchers.ts';

export type * from '../matchers/delivery-matchers.ts';

/** What can be said of requests; `not` says the opposite. */
export type SentAssertions = DeliveryMatchers<void> & { readonly not: DeliveryMatchers<void> };

/**
 * The matchers for `node:test`, and whatever else takes an AssertionError:
 * `assertSent(receiver).toHaveDelivered({ count: 1 })`, `await assertSent(receiver).toBeSignedWith(secret)`.
 */
export function assertSent(sent: Sent): SentAssertions {
  return { ...assertionsOf(sent, true), not: assertionsOf(sent, false) };
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

function assertionsOf(sent: Sent, isWanted: boolean): DeliveryMatchers<void> {
  const hold = ({ pass, message }: Verdict): void => {
    if (pass !== isWanted) throw new AssertionError({ message: message(), stackStartFn: hold });
  };
  return {
    toHaveDelivered: (...given) => hold(deliveryMatchers.toHaveDelivered(sent, ...given)),
    toMatchRetrySchedule: (...given) => hold(deliveryMatchers.toMatchRetrySchedule(sent, ...given)),
    toRespectRate: (...given) => hold(deliveryMatchers.toRespectRate(sent, ...given)),
    toArriveInOrder: (...given) => hold(deliveryMatchers.toArriveInOrder(sent, ...given)),
    toBeSignedWith: async (...given) => hold(await deliveryMatchers.toBeSignedWith(sent, ...given)),
    toHaveBeenToldMembership: (...given) => hold(deliveryMatchers.toHaveBeenToldMembership(sent, ...given)),
    toHaveBeenNotified: (...given) => hold(deliveryMatchers.toHaveBeenNotified(sent, ...given)),
  };
}
