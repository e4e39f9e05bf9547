/** The storage cannot be used as it is. The message names it, and the way out. */
export class StorageUnusable extends Error {
  override readonly name: string = 'StorageUnusable';
}

/** The configuration has changed since the messages were routed. Nothing of them was stored: route them again. */
export class StaleRouting extends Error {
  override readonly name = 'StaleRouting';
}

/** It is refused for what it holds, and would be again. Nothing of it was stored. */
export class NotStorable extends Error {
  override readonly name: string = 'NotStorable';
}

/**
 * Nobody knows whether what was asked has been stored: the answer was lost. Whoever asked for an accept asks again with
 * the same key.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** This node is no member, or its life is over: nothing was stored. It has to join before it can hold deliveries. */
export class NotAMember extends Error {
  override readonly name = 'NotAMember';
}
