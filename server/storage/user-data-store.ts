export interface ForgetRequest {
  /**
   * Full name of a source whose messages are looked at, or of a workspace: then those of each of its sources, also of one
   * that was deleted since.
   */
  readonly scope: string;
  readonly userIds: readonly string[];
  readonly now: number;
  /** Where the call before this one stopped; 0 begins at the oldest. */
  readonly after: number;
  /** So many deliveries are looked at. */
  readonly limit: number;
}

export interface Forgotten {
  readonly deliveries: number;
  /** Where to go on; undefined when everything was looked at. */
  readonly next: number | undefined;
}

/**
 * Deletes what is stored of users: messages that carry one of the ids as `userId` or, in an alias, as `previousId`, with
 * their deliveries and attempts, whatever their state. Messages of type `delete` stay: they tell of the deletion. Each
 * call is a small transaction, and asking again does no harm.
 */
export interface UserDataStore {
  forget(request: ForgetRequest): Promise<Forgotten>;
}
