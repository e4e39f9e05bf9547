import type { ServerResponse } from 'node:http';
import { type Holder, SharedMemory } from './admission.ts';
import { ApiError } from './errors.ts';

/** What is smaller leaves the process at once, however slow its peer is. */
const LARGE_ANSWER = 16_384;

const RETRY_AFTER_S = 1;

export interface Asking {
  readonly holder: Holder;
  readonly request: { readonly method: string; readonly res: ServerResponse };
  /** Whether the configuration was changed before it is answered. */
  readonly hasChanged: boolean;
}

/**
 * Large answers, from when they are made until they have left the process. Peers that read slowly, or not at all, share a number
 * of bytes as senders share that of bodies: where there is no room, the answer that is late gives way, or one of a holder that has
 * more. Its connection is ended (SAFE-1).
 */
export class UnreadAnswers {
  readonly #limit: number;
  readonly #memory: SharedMemory;

  /** `steady` reads milliseconds that only go forward. */
  constructor(limit: number, steady: () => number) {
    this.#limit = limit;
    this.#memory = new SharedMemory(limit, steady);
  }

  /** The answer as it is sent; throws when there is no room. Of a large one the bytes alone: its text would be kept beside them. */
  keep(text: string, { holder, request: { method, res }, hasChanged }: Asking): string | Buffer {
    if (text.length < LARGE_ANSWER || method === 'HEAD' || res.destroyed) return text;
    // One that is larger than all of the memory takes all of it.
    const bytes = Math.min(Buffer.byteLength(text), this.#limit);
    const portion = this.#memory.enter(holder);
    if (portion === undefined || !this.#memory.receive(portion, bytes)) {
      throw hasChanged ? unanswered() : tooManyUnread();
    }
    portion.onEvicted = () => res.destroy();
    res.once('close', () => this.#memory.leave(portion));
    return Buffer.from(text);
  }
}

function tooManyUnread(): ApiError {
  const message = 'too many large answers are not read yet: read those that were asked for, then try again';
  return new ApiError('ResourceExhausted', message, { retryAfterS: RETRY_AFTER_S });
}

/** Whoever is told that a change was made does not make it again. */
function unanswered(): ApiError {
  const message =
    'the change was made, but large answers that are not read yet left no room for its own: read what was changed';
  return new ApiError('Unavailable', message, { retryAfterS: RETRY_AFTER_S });
}
