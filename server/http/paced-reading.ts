import { RestingQueues } from '../fairness/resting-queues.ts';
import type { Clock } from '../ports/clock.ts';
import { ApiError } from './errors.ts';

/** A body from this size on may take a good part of a second to be read. */
const LARGE_BODY = 65_536;
/** Large bodies of one holder that are read or wait: as many as Terraform sends at once. */
export const MOST_LARGE = 10;

/** Large bodies of each holder are read one after the other, with rests between. */
export class PacedReading {
  readonly #queues: RestingQueues;

  constructor(clock: Pick<Clock, 'steady' | 'sleep'>) {
    this.#queues = new RestingQueues(clock);
  }

  /** Throws ResourceExhausted when too many wait already. */
  read<Body>(holder: string, bytes: number, read: () => Body): Body | Promise<Body> {
    if (bytes < LARGE_BODY) return read();
    if (this.#queues.works(holder) === MOST_LARGE) throw tooMany();
    return this.#queues.run(read, holder);
  }
}

function tooMany(): ApiError {
  const what = `more than ${MOST_LARGE} requests with large bodies at once`;
  return new ApiError('ResourceExhausted', `${what}: send them one after the other`, { retryAfterS: 1 });
}
