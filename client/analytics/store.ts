/** Keeps messages beyond the process. Each method is called in the order of events, and none of them may wait. */
export interface Store {
  /** What an earlier process took and did not end, oldest first; called once, before anything else. */
  recover(): readonly StoredMessage[];
  /** Returns once the message outlives the process; throws when it cannot be kept. */
  add(message: StoredMessage): void;
  /** They were delivered, or given up for good. */
  end(messageIds: readonly string[]): void;
  close(): void;
}

export interface StoredMessage {
  readonly messageId: string;
  /** The message as it is sent. */
  readonly json: string;
}
