import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { Database } from '../connection/database.ts';
import type { Listening } from '../connection/listening.ts';
import type { ChangeFeed } from './change-feed.ts';
import { CHANNEL } from './statements.ts';

/** How often the feed is asked, whatever was heard. */
const POLL_MS = 1_000;

export interface HearingPorts {
  readonly database: Pick<Database, 'listen' | 'schema'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
}

/**
 * Keeps a feed warm, so that what other routers change is known here within a moment, also to what does not ask. Being
 * told is fast, and may fail in silence; looking each second is what can be relied on.
 */
export class Hearing {
  readonly #feed: Pick<ChangeFeed, 'refresh' | 'version'>;
  readonly #ports: HearingPorts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  #listening: Listening | undefined;
  /** Set while nothing can be heard, so that the log is told once. */
  #isDeaf = false;

  constructor(feed: Pick<ChangeFeed, 'refresh' | 'version'>, ports: HearingPorts) {
    [this.#feed, this.#ports] = [feed, ports];
    this.#running = Promise.all([this.#listen(), this.#poll()]);
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#listening?.close();
    await this.#running;
  }

  async #poll(): Promise<void> {
    while (await this.#hasWaited()) await this.#look();
  }

  async #listen(): Promise<void> {
    const { database } = this.#ports;
    do {
      const listening = await database.listen(CHANNEL, (payload) => this.#hear(payload)).catch(() => undefined);
      if (this.#stopping.signal.aborted) listening?.close();
      this.#listening = listening;
      // Of what was changed before somebody listened, nobody told.
      if (listening !== undefined) await Promise.all([this.#look(), listening.lost]);
    } while (await this.#hasWaited());
  }

  /** False once it was stopped. */
  async #hasWaited(): Promise<boolean> {
    await this.#ports.clock.sleep(POLL_MS, this.#stopping.signal);
    return !this.#stopping.signal.aborted;
  }

  #hear(payload: string): void {
    const [schema, version] = payload.split(' ');
    if (schema === this.#ports.database.schema && Number(version) > this.#feed.version) void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      await this.#feed.refresh();
      this.#isDeaf = false;
    } catch (error) {
      if (!this.#isDeaf) this.#ports.log.warn({ reason: String(error) }, 'cannot read the configuration; trying again');
      this.#isDeaf = true;
    }
  }
}
