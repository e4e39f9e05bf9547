import type { Logger } from './logger.ts';

/** Keeps messages beyond the process. Each method is called in the order of events, and none of them may wait. */
export interface Store {
  /**
   * What an earlier process took and did not end, oldest first; called once, before anything else. `take` sends what is left
   * by others later, and what cannot be given back is said to the `log`.
   */
  recover(take?: (messages: readonly StoredMessage[]) => void, log?: Pick<Logger, 'warn'>): readonly StoredMessage[];
  /** Returns once the message outlives the process; throws when it cannot be kept. */
  add(message: StoredMessage): void;
  /** They were delivered, or given up for good. */
  end(messageIds: readonly string[]): void;
  close(): void;
  /** A request with them begins. What it gives is called when it has ended, however that came. */
  sending?(messageIds: readonly string[]): () => void;
}

export interface StoredMessage {
  readonly messageId: string;
  /** The message as it is sent. */
  readonly json: string;
}
