import type { ExpectationResult } from 'expect';
import { deliveryMatchers as matchers, type DeliveryMatchers } from '../matchers/delivery-matchers.ts';

export type * from '../matchers/delivery-matchers.ts';

/** `expect.extend(deliveryMatchers)` once, in a test file or in a file of `setupFilesAfterEnv`. */
export const deliveryMatchers = matchers satisfies Record<string, (...given: never[]) => ExpectationResult>;

/** For `expect` of `@jest/globals`. */
declare module 'expect' {
  interface Matchers<R> extends DeliveryMatchers<R> {}
}

declare global {
  /** For the `expect` that needs no import, of `@types/jest`. */
  namespace jest {
    interface Matchers<R> extends DeliveryMatchers<R> {}
  }
}
