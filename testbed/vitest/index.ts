import type { MatchersObject } from 'vitest';
import { deliveryMatchers as matchers, type DeliveryMatchers } from '../matchers/delivery-matchers.ts';

export type * from '../matchers/delivery-matchers.ts';

/** `expect.extend(deliveryMatchers)` once, in a test file or in a set-up file. */
export const deliveryMatchers = matchers satisfies MatchersObject;

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends DeliveryMatchers<R> {}
}
