import { Readable } from 'node:stream';
import {
  type LiveEvents,
  MAX_OF_HOLDER,
  MAX_OF_WORKSPACE,
  MAX_WATCHERS,
  type Moment,
  type Watcher,
} from '../events/live-events.ts';
import { ApiError } from '../http/errors.ts';

/** What a page has not read yet; beyond, events are counted only. */
const MAX_UNREAD_BYTES = 512_000;

interface PageParts {
  readonly holder: string;
  readonly listed: (moment: Moment) => string;
  readonly mayGoOn: () => Promise<boolean>;
}

/** The server-sent events of one page that watches. Of a peer that does not read, MAX_UNREAD_BYTES are kept until the listener ends it. */
export class EventPage extends Readable implements Watcher {
  readonly holder: string;
  readonly #parts: PageParts;
  #leave: () => void = () => {};
  #isFull = false;
  #isOver = false;
  #untold = 0;

  constructor(parts: PageParts) {
    super({ highWaterMark: MAX_UNREAD_BYTES });
    this.holder = parts.holder;
    this.#parts = parts;
  }

  open(live: LiveEvents, source: string): this {
    const leave = live.watch(source, this);
    if (leave === undefined) throw tooMany();
    this.#leave = leave;
    return this.#tell(0, '[]');
  }

  hear(moment: Moment): void {
    this.#tell(moment.count, this.#parts.listed(moment));
  }

  /** Whoever may not go on asks again, and is told what is wrong. */
  async beat(): Promise<void> {
    const goesOn = await this.#parts.mayGoOn().catch(() => false);
    if (goesOn) this.#tell(0, '[]');
    else this.stop();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.push(null);
  }

  override _read(): void {
    this.#isFull = false;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#isOver = true;
    this.#leave();
    done(error);
  }

  #tell(count: number, events: string): this {
    this.#untold += count;
    if (this.#isFull || this.#isOver) return this;
    this.#isFull = !this.push(`data: {"count":${this.#untold},"accepted_events":${events}}\n\n`);
    this.#untold = 0;
    return this;
  }
}

function tooMany(): ApiError {
  const limits = `${MAX_WATCHERS} for this router, ${MAX_OF_WORKSPACE} for each workspace and ${MAX_OF_HOLDER} for each token`;
  return new ApiError('ResourceExhausted', `too many open streams: the maximum is ${limits}; close one first`);
}
